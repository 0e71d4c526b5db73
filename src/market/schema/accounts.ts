/** Tables of traders, their accounts, fills and positions. Units: see `schema.ts` here. */
import { isNotNull } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ACCOUNT_MODES, PERSONA_NAMES, ROLES } from './trader-rows.ts'
import { feeRate, fundingIndex, money, price, size, time } from './units.ts'

export const trader = sqliteTable('trader', {
  id: integer().primaryKey(),
  /** 0x + 40 hex, lower case. */
  address: text().notNull().unique(),
  role: text({ enum: ROLES }).notNull(),
  /** First moment they can appear. */
  joinMs: time().notNull(),
  /** builder.id through which they trade. */
  builder: integer(),
  /** Whether perpetuals and spot share one margin. */
  mode: text({ enum: ACCOUNT_MODES }).notNull(),
  /** trader.id of whom it is a sub-account. */
  master: integer(),
  /** Set for the few that every world has (src/market/schema/trader-rows.ts). */
  persona: text({ enum: PERSONA_NAMES }),
})

/** Builders, who take a fee on fills of their users. */
export const builder = sqliteTable('builder', {
  id: integer().primaryKey(),
  address: text().notNull().unique(),
  /** 10^-8 of the notional. */
  rate: feeRate().notNull(),
})

/**
 * One sub-account of a trader: main dex (''), a builder dex ('xyz'), spot ('spot'), or what is
 * staked or in a vault (src/market/accounting/savings.ts).
 */
export const account = sqliteTable(
  'account',
  {
    id: integer().primaryKey(),
    trader: integer().notNull(),
    dex: text().notNull(),
  },
  (t) => [index('accountByTrader').on(t.trader)],
)

/**
 * One side of a trade. `fill.id` and `ledger.id` come from one counter: of two rows of an account,
 * the later is the one with the greater (timeMs, id). The latest row of (trader, instrument) is the
 * present position, the latest row of an account (fill or ledger) its cash.
 */
export const fill = sqliteTable(
  'fill',
  {
    id: integer().primaryKey(),
    trade: integer().notNull(),
    trader: integer().notNull(),
    account: integer().notNull(),
    instrument: integer().notNull(),
    timeMs: time().notNull(),
    oid: integer().notNull(),
    /** B bought, A sold. */
    side: text({ enum: ['B', 'A'] }).notNull(),
    /** True for the taker. */
    crossed: integer({ mode: 'boolean' }).notNull(),
    px: price().notNull(),
    sz: size().notNull(),
    notional: money().notNull(),
    /** Signed size before and after; for spot the token balance. */
    startPosition: size().notNull(),
    positionAfter: size().notNull(),
    /**
     * Signed cost of the position after, micro-dollars: entry price = costAfter / positionAfter.
     */
    costAfter: money().notNull(),
    closedPnl: money().notNull(),
    /** Paid in instrument.quote, builderFee included; negative is a rebate. */
    fee: money().notNull(),
    /** Open Long, Close Long, Open Short, Close Short, Long > Short, Short > Long, Buy, Sell,
     * Liquidated Cross Long, Liquidated Cross Short. */
    dir: text().notNull(),
    /** position.id it belongs to; of a flip, the one it opened. null for spot. */
    position: integer(),
    /** Cash of the account after, funding left out: in - out + realised - fees. */
    cashAfter: money().notNull(),
    /** Sum of closedPnl of the account so far. */
    realisedAfter: money().notNull(),
    /** Funding paid so far on this instrument by this trader, up to `fundingIndex`. */
    fundingAfter: money().notNull(),
    /** Funding paid when the present position was opened. */
    fundingAtOpen: money().notNull(),
    /** funding.fundingIndex up to which funding is settled in `fundingAfter`. */
    fundingIndex: fundingIndex().notNull(),
    /** Leverage on the instrument, and whether the position is on isolated margin. */
    leverage: integer().notNull(),
    isolated: integer({ mode: 'boolean' }).notNull(),
    /** twap.id when it is a slice. */
    twap: integer(),
    builder: integer(),
    builderFee: money(),
    /** liquidation.id, on both sides of a liquidation's trade. */
    liquidation: integer(),
  },
  (t) => [
    index('fillByTrader').on(t.trader, t.timeMs),
    index('fillByPosition').on(t.trader, t.instrument, t.timeMs),
    index('fillByTime').on(t.timeMs),
    index('fillByOid').on(t.oid),
    index('fillByTrade').on(t.trade),
    index('fillByTwap').on(t.twap).where(isNotNull(t.twap)),
    index('fillByBuilder').on(t.builder, t.timeMs).where(isNotNull(t.builder)),
  ],
)

/**
 * One perpetual position from open to flat (or to a flip). Sizes and money are sums over its fills.
 */
export const position = sqliteTable(
  'position',
  {
    id: integer().primaryKey(),
    trader: integer().notNull(),
    instrument: integer().notNull(),
    direction: text({ enum: ['long', 'short'] }).notNull(),
    isolated: integer({ mode: 'boolean' }).notNull(),
    leverage: integer().notNull(),
    openMs: time().notNull(),
    /**
     * null when it is still open at the end of the tape. At an instant t it is closed when closeMs
     * <= t.
     */
    closeMs: time(),
    openFill: integer().notNull(),
    closeFill: integer(),
    /** Largest size. */
    maxSz: size().notNull(),
    /** Size and notional of all increases: entry = openNotional / openSz. */
    openSz: size().notNull(),
    openNotional: money().notNull(),
    /** The same of all decreases; both are final values, valid from closeMs on. */
    closeSz: size().notNull(),
    closeNotional: money().notNull(),
    closedPnl: money().notNull(),
    fees: money().notNull(),
    funding: money().notNull(),
    liquidation: integer(),
  },
  (t) => [
    index('positionByTrader').on(t.trader, t.openMs),
    index('positionByClose').on(t.trader, t.closeMs),
    index('positionByOpenMs').on(t.openMs),
    index('positionByCloseMs').on(t.closeMs),
  ],
)

/**
 * Movements of money and tokens other than by trade, fee or funding. `delta` is the venue's JSON of
 * the movement.
 */
export const ledger = sqliteTable(
  'ledger',
  {
    /** From the same counter as fill.id. */
    id: integer().primaryKey(),
    account: integer().notNull(),
    trader: integer().notNull(),
    timeMs: time().notNull(),
    /** `type` of the delta. */
    type: text().notNull(),
    /** Signed change of the account's cash, micro-dollars. */
    usd: money().notNull(),
    delta: text().notNull(),
    hash: text().notNull(),
    cashAfter: money().notNull(),
    /** Spot tokens: the pair whose base was moved, signed size, balance and cost after. */
    instrument: integer(),
    sz: size(),
    positionAfter: size(),
    costAfter: money(),
    /** The other half of a transfer between a trader's accounts: counts, but is not shown. */
    hidden: integer({ mode: 'boolean' }).notNull(),
  },
  (t) => [
    index('ledgerByAccount').on(t.account, t.timeMs),
    index('ledgerByTrader').on(t.trader, t.timeMs),
    index('ledgerByTime').on(t.timeMs),
    index('ledgerByToken').on(t.trader, t.instrument, t.timeMs).where(isNotNull(t.instrument)),
  ],
)
