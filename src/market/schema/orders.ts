/** Tables of orders, TWAPs and liquidations. Units: see src/market/schema/schema.ts. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { money, price, size, time } from './units.ts'

/** Most orders end within this time. */
export const LONG_LIVED_MS = 90_000

/**
 * Condition of the long-lived orders: SQLite uses their partial index only for a query in the same
 * words.
 */
export const LONG_LIVED = `endMs is null or endMs - timeMs > ${LONG_LIVED_MS}`

/**
 * Every order, filled or not. At an instant t (timeMs <= t) its filled size is the sum of its fills
 * with time <= t, and it is open while endMs is null or endMs > t.
 */
export const orders = sqliteTable(
  'orders',
  {
    oid: integer().primaryKey(),
    trader: integer().notNull(),
    instrument: integer().notNull(),
    /** Time of placement. */
    timeMs: time().notNull(),
    side: text({ enum: ['B', 'A'] }).notNull(),
    limitPx: price().notNull(),
    origSz: size().notNull(),
    /** Filled size at its end (or at the end of the tape). */
    filledSz: size().notNull(),
    /** Limit, Market, Stop Market, Take Profit Market. */
    orderType: text().notNull(),
    /** Gtc, Alo, Ioc, FrontendMarket, LiquidationMarket; null for triggers. */
    tif: text(),
    reduceOnly: integer({ mode: 'boolean' }).notNull(),
    /** Price units; null for an order without a trigger. */
    triggerPx: price(),
    /** As text, `Price below 95000`; `N/A` without a trigger. */
    triggerCondition: text().notNull(),
    positionTpsl: integer({ mode: 'boolean' }).notNull(),
    /** 0x + 32 hex. */
    cloid: text(),
    twap: integer(),
    builder: integer(),
    /** null for an order that never ends. */
    endMs: time(),
    endStatus: text({ enum: ['filled', 'canceled'] }),
    /**
     * 0x + 64 hex of the transaction that ended (or placed) it; null where it derives from the
     * order's number.
     */
    hash: text(),
  },
  (t) => [
    index('orderByTrader').on(t.trader, t.timeMs),
    index('orderByEnd').on(t.endMs),
    index('orderByTime').on(t.timeMs),
    index('orderByTraderEnd').on(t.trader, t.endMs),
    index('longLivedOrder').on(t.timeMs).where(sql.raw(LONG_LIVED)),
  ],
)

/** A TWAP: its executed size at t is the sum of its fills with time <= t. */
export const twap = sqliteTable(
  'twap',
  {
    id: integer().primaryKey(),
    trader: integer().notNull(),
    instrument: integer().notNull(),
    side: text({ enum: ['B', 'A'] }).notNull(),
    sz: size().notNull(),
    minutes: integer().notNull(),
    reduceOnly: integer({ mode: 'boolean' }).notNull(),
    randomize: integer({ mode: 'boolean' }).notNull(),
    /** Start. */
    timeMs: time().notNull(),
    /**
     * Time of its end; null when it still runs at the end of the tape. Before endMs it is
     * `activated`.
     */
    endMs: time(),
    endStatus: text({ enum: ['finished', 'terminated'] }),
    /** Sum over its fills at its end (or at the end of the tape). */
    executedSz: size().notNull(),
    executedNotional: money().notNull(),
  },
  (t) => [index('twapByTrader').on(t.trader, t.timeMs), index('twapByTime').on(t.timeMs)],
)

/** A liquidation: of the tape, of a trader before it, or of the crowd, which has no fills. */
export const liquidation = sqliteTable(
  'liquidation',
  {
    id: integer().primaryKey(),
    instrument: integer().notNull(),
    timeMs: time().notNull(),
    /** CROWD for a crowd account; null when the tape names no trades of it. */
    trader: integer(),
    /** Side of the liquidated position. */
    direction: text({ enum: ['long', 'short'] }).notNull(),
    sz: size().notNull(),
    markPx: price().notNull(),
    /** Liquidation price computed right before, price units. */
    liquidationPx: price(),
    /** px x sz of the trades, and the trader's loss by them. */
    notional: money().notNull(),
    closedPnl: money().notNull(),
    startPosition: size(),
    positionAfter: size(),
    /** The order that closed it. */
    oid: integer(),
  },
  (t) => [
    index('liquidationByInstrument').on(t.instrument, t.timeMs),
    index('liquidationByTime').on(t.timeMs),
  ],
)
