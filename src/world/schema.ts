/**
 * The world's tables, and the units of their columns.
 *
 * - times: whole ms of tape time. A reader looks only at rows with time <= now.
 * - px, mark, oracle, limitPx, triggerPx: whole number at instrument.pxDecimals ("price units").
 * - sz, position: whole number at instrument.szDecimals ("size units").
 * - money (notional, fee, cash, pnl, cost, funding): micro-dollars, 10^-6.
 * - hourly funding rates: 10^-10. Fee rates: 10^-6.
 *
 * Everything is a safe integer. Write it out with `format` of src/decimal/scaled.ts.
 * docs/world.md tells how the tables hang together and which identities hold.
 */
import type { InferSelectModel } from 'drizzle-orm'
import { format } from '../decimal/scaled.ts'
import { account, builder, fill, ledger, position, trader } from './schema/accounts.ts'
import { bbo, book, funding, instrument, interest, mark, meta, trade } from './schema/market.ts'
import { liquidation, orders, twap } from './schema/orders.ts'

/** All tables by name, as drizzle wants them. */
export const schema = {
  meta,
  instrument,
  trade,
  book,
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
}

export { ROLES, type Role } from './schema/accounts.ts'
export {
  account,
  bbo,
  book,
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

/** Decimals of money: micro-dollars. */
export const MONEY_DECIMALS = 6
/** Decimals of hourly funding rates and premiums. */
export const RATE_DECIMALS = 10
/** Decimals of fee rates. */
export const FEE_DECIMALS = 6

/** Zeros: the hash of transactions that no order of a user made (TWAP slices). */
export const NO_HASH = `0x${'0'.repeat(64)}`

type Decimals = Pick<InstrumentRow, 'pxDecimals' | 'szDecimals'>

/** A price as a decimal string with at least `keep` decimals. */
export function pxText(of: Decimals, px: number, keep = 0): string {
  return format(px, of.pxDecimals, keep)
}

/** A size as a decimal string with at least `keep` decimals. */
export function szText(of: Decimals, sz: number, keep = 0): string {
  return format(sz, of.szDecimals, keep)
}

/** Micro-dollars as a decimal string with at least `keep` decimals. */
export function usdText(micros: number, keep = 0): string {
  return format(micros, MONEY_DECIMALS, keep)
}
