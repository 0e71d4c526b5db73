/** Tables of public market data. Units: see src/market/schema/schema.ts. */
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { fundingIndex, hourlyRate, money, price, size, time } from './units.ts'

/** Facts about the file itself: `Meta` in src/market/world/world.ts lists the keys. */
export const meta = sqliteTable('meta', {
  key: text().primaryKey(),
  value: text().notNull(),
})

/** Instruments, in the order of the tape's header. */
export const instrument = sqliteTable('instrument', {
  /** Place in the header, from 0. */
  id: integer().primaryKey(),
  coin: text().notNull().unique(),
  kind: text({ enum: ['perp', 'spot'] }).notNull(),
  /** Builder dex; empty for the main dex and for spot. */
  dex: text().notNull(),
  base: text().notNull(),
  quote: text().notNull(),
  pxDecimals: integer().notNull(),
  szDecimals: integer().notNull(),
  maxLeverage: integer().notNull(),
  /** Decimals of `funding.fundingIndex`: dollars per unit of the coin. */
  fundingDecimals: integer().notNull(),
  /** Perp: place in the universe of its dex. Spot: number of the pair, 107 for `@107`. */
  asset: integer().notNull(),
  /** Spot only: token numbers of base and quote; USDC is 0. */
  baseToken: integer(),
  quoteToken: integer(),
  /** Smallest step between prices seen on the tape, in price units. */
  tick: price().notNull(),
  /** First price of the tape; null when it has none (then there is no history). */
  firstPx: price(),
})

/** Every trade of history and tape, in order of id. */
export const trade = sqliteTable(
  'trade',
  {
    id: integer().primaryKey(),
    instrument: integer().notNull(),
    timeMs: time().notNull(),
    /** The taker's side: B bought, A sold. */
    side: text({ enum: ['B', 'A'] }).notNull(),
    px: price().notNull(),
    sz: size().notNull(),
    /** px x sz in micro-dollars, rounded once; both sides use this number. */
    notional: money().notNull(),
    tid: integer().notNull(),
    /**
     * 0x + 64 hex; zeros for TWAP slices; null where it derives from the taker order's number, so
     * that the trades of one order share it (src/market/world/crowd-address.ts).
     */
    hash: text(),
    /** trader.id, or CROWD. An order of the crowd has a number and no row. */
    buyer: integer().notNull(),
    seller: integer().notNull(),
    buyerOid: integer().notNull(),
    sellerOid: integer().notNull(),
    /** Sum of the traders' long positions after this trade, in size units; 0 for spot. */
    interestAfter: size().notNull(),
    /** liquidation.id when it is part of a liquidation. */
    liquidation: integer(),
  },
  (t) => [index('tradeByInstrument').on(t.instrument, t.timeMs), index('tradeByTime').on(t.timeMs)],
)

/**
 * Books. A keyframe holds the full book, other rows the changed levels only (size "0" removes a
 * level). An instrument has a keyframe at least each 60 s and each 64 rows, or each row for four
 * levels of its book where that is more.
 */
export const book = sqliteTable(
  'book',
  {
    id: integer().primaryKey(),
    instrument: integer().notNull(),
    timeMs: time().notNull(),
    keyframe: integer({ mode: 'boolean' }).notNull(),
    /** JSON `[bids, asks]`, each `[[px, sz, n], …]` with px and sz as decimal strings. */
    levels: text().notNull(),
  },
  (t) => [
    index('bookByInstrument').on(t.instrument, t.timeMs),
    index('bookByTime').on(t.timeMs),
    index('keyframeByInstrument').on(t.instrument, t.keyframe, t.timeMs),
  ],
)

/**
 * Books after the tape, in blocks of some minutes (src/market/schema/book-blocks.ts): changes,
 * relative to an empty book where `full` is set, else to the book after the block before.
 */
export const bookBlock = sqliteTable(
  'bookBlock',
  {
    instrument: integer().notNull(),
    /** Times of its first and last change. */
    fromMs: time().notNull(),
    toMs: time().notNull(),
    full: integer({ mode: 'boolean' }).notNull(),
    changes: blob({ mode: 'buffer' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.instrument, t.fromMs] })],
)

/** Best bid and offer where the tape has a separate stream of them; null for an empty side. */
export const bbo = sqliteTable(
  'bbo',
  {
    id: integer().primaryKey(),
    instrument: integer().notNull(),
    timeMs: time().notNull(),
    bidPx: price(),
    bidSz: size(),
    bidN: integer(),
    askPx: price(),
    askSz: size(),
    askN: integer(),
  },
  (t) => [index('bboByInstrument').on(t.instrument, t.timeMs), index('bboByTime').on(t.timeMs)],
)

/** Mark and oracle price in price units, over history and tape. */
export const mark = sqliteTable(
  'mark',
  {
    id: integer().primaryKey(),
    instrument: integer().notNull(),
    timeMs: time().notNull(),
    mark: price().notNull(),
    /** Derived from the premium where the source has no oracle. */
    oracle: price().notNull(),
  },
  (t) => [index('markByInstrument').on(t.instrument, t.timeMs), index('markByTime').on(t.timeMs)],
)

/**
 * Funding of perpetuals: a charged row at each full hour, and an uncharged one when the tape
 * announces a rate in between. `fundingIndex` only moves on charged rows.
 *
 * The payment of a position of `sz` size units between two rows is `fundingBetween(sz,
 * from.fundingIndex, to.fundingIndex, instrument)` of accounting/funding.ts.
 */
export const funding = sqliteTable(
  'funding',
  {
    instrument: integer().notNull(),
    timeMs: time().notNull(),
    /** Hourly rate, 10^-10 (RATE_DECIMALS). */
    rate: hourlyRate().notNull(),
    /** Premium of mark over oracle, 10^-10. */
    premium: hourlyRate().notNull(),
    /** Price that the rate was applied to, in price units. */
    oracle: price().notNull(),
    charged: integer({ mode: 'boolean' }).notNull(),
    /** Sum of rate x oracle since the history began, at instrument.fundingDecimals. */
    fundingIndex: fundingIndex().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.instrument, t.timeMs, t.charged] }),
    index('fundingByTime').on(t.timeMs),
  ],
)

/**
 * Open interest as reported by the source, in size units. The part that traders do not hold is the
 * crowd's: docs/world.md describes how the open interest of an instant is read.
 */
export const interest = sqliteTable(
  'interest',
  {
    id: integer().primaryKey(),
    instrument: integer().notNull(),
    timeMs: time().notNull(),
    reported: size().notNull(),
    /** The crowd's long interest from then on, size units; 0 for spot. */
    crowd: size().notNull(),
  },
  (t) => [index('interestByInstrument').on(t.instrument, t.timeMs)],
)
