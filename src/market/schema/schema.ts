/**
 * The world's tables, and the units of their columns.
 *
 * Units by column type (src/decimal/quantity.ts, src/clock/instant.ts):
 *
 * - TapeMs: whole ms of tape time. Readers select rows with time <= now.
 * - Px: whole number at instrument.pxDecimals ("price units").
 * - Sz: whole number at instrument.szDecimals ("size units").
 * - Usd: micro-dollars, 10^-6.
 * - Rate: hourly funding rates, 10^-10. FeeRate: 10^-6. FundingIndex: at fundingDecimals.
 *
 * All values are safe integers. Rows are read with `columns` of src/market/rows/columns.ts and
 * formatted with `pxText`, `szText` and `usdText`.
 * docs/world.md describes the dependencies and the invariants of the tables.
 */
import type { InferSelectModel } from 'drizzle-orm'
import { format, type Px, raw, type Sz, type Usd } from '../../decimal/quantity.ts'
import { MONEY_DECIMALS } from '../world/money-decimals.ts'
import { account, builder, fill, ledger, position, trader } from './accounts.ts'
import { bars } from './bars.ts'
import { bbo, book, bookBlock, funding, instrument, interest, mark, meta, trade } from './market.ts'
import { liquidation, orders, twap } from './orders.ts'
import { packed } from './packed.ts'

/** All tables by name, in the form that drizzle expects. */
export const schema = {
  meta,
  instrument,
  trade,
  book,
  bookBlock,
  bbo,
  mark,
  funding,
  interest,
  trader,
  builder,
  account,
  fill,
  position,
  ledger,
  orders,
  twap,
  liquidation,
  packed,
  bars,
}

export { MONEY_DECIMALS } from '../world/money-decimals.ts'
export { type BlockPlace, BookBlockReader, readLevels, type StoredLevel } from './book-blocks.ts'
export { LONG_LIVED, LONG_LIVED_MS } from './orders.ts'
export { type PackedName, type UnpackedSection, unpackSections } from './packed-sections.ts'
export {
  type AccountMode,
  CROWD,
  PERSONA_NAMES,
  PERSONAS,
  type Persona,
  ROLES,
  type Role,
} from './trader-rows.ts'
export {
  account,
  bars,
  bbo,
  book,
  bookBlock,
  builder,
  fill,
  funding,
  instrument,
  interest,
  ledger,
  liquidation,
  mark,
  meta,
  orders,
  packed,
  position,
  trade,
  trader,
  twap,
}

export type InstrumentRow = InferSelectModel<typeof instrument>
export type TraderRow = InferSelectModel<typeof trader>
export type TradeRow = InferSelectModel<typeof trade>
export type FillRow = InferSelectModel<typeof fill>
export type OrderRow = InferSelectModel<typeof orders>
export type PositionRow = InferSelectModel<typeof position>
export type LedgerRow = InferSelectModel<typeof ledger>
export type FundingRow = InferSelectModel<typeof funding>
export type TwapRow = InferSelectModel<typeof twap>
export type LiquidationRow = InferSelectModel<typeof liquidation>

/** Decimals of hourly funding rates and premiums. */
export const RATE_DECIMALS = 10
/** Decimals of fee rates. */
export const FEE_DECIMALS = 8

/** Zeros: the hash of transactions without a user's order (TWAP slices). */
export const NO_HASH = `0x${'0'.repeat(64)}`

type Decimals = Pick<InstrumentRow, 'pxDecimals' | 'szDecimals'>

/** A price as a decimal string with at least `minDecimals` decimals. */
export function pxText(of: Decimals, px: Px, minDecimals = 0): string {
  return format(raw(px), of.pxDecimals, minDecimals)
}

/** A size as a decimal string with at least `minDecimals` decimals. */
export function szText(of: Decimals, sz: Sz, minDecimals = 0): string {
  return format(raw(sz), of.szDecimals, minDecimals)
}

/** Micro-dollars as a decimal string with at least `minDecimals` decimals. */
export function usdText(money: Usd, minDecimals = 0): string {
  return format(raw(money), MONEY_DECIMALS, minDecimals)
}
