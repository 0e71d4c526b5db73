import { usd as money, raw, type Sz } from '../../../decimal/quantity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { crossMargin } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'

const CENT = 1e4
/** Fees of opening, against the value. */
const FEES = 0.0005

/** A position at a price, both prices in price units. */
interface ThinPosition {
  sz: Sz
  long: boolean
  px: number
  /** Where it is to be liquidated. */
  liquidationPx: number
}

/** Equity that puts the liquidation price of a lone cross position where it is wanted. */
export function wantedEquity({ row }: MarketState, position: ThinPosition): number {
  const { sz, long, px, liquidationPx } = position
  const unit = Math.abs(raw(sz)) * 10 ** (6 - row.pxDecimals - row.szDecimals)
  const maintenance = liquidationPx * (0.5 / row.maxLeverage)
  return unit * (maintenance + (long ? 1 : -1) * (px - liquidationPx))
}

/** The money to open one with. */
export function openingMoney(market: MarketState, position: ThinPosition): number {
  const { row } = market
  const unit = Math.abs(raw(position.sz)) * 10 ** (6 - row.pxDecimals - row.szDecimals)
  return wantedEquity(market, position) + FEES * unit * position.px
}

/**
 * Moves money so that the liquidation price lies where it is wanted. What the leverage ties up is
 * not taken out.
 */
export function moveLiquidationPx(
  ledger: Ledger,
  holding: Holding,
  liquidationPx: number,
  timeMs: number,
): void {
  const { account, market, sz } = holding
  const { equity, initial } = crossMargin(account)
  const long = raw(sz) > 0
  const wanted = wantedEquity(market, { sz, long, px: raw(market.px), liquidationPx })
  const missing = Math.ceil((wanted - equity) / CENT) * CENT
  const dueMs = Math.max(timeMs, account.lastMs)
  if (missing > 0) ledger.deposit(account, money(missing), dueMs)
  const free = Math.min(-missing, Math.floor((equity - initial) / CENT) * CENT)
  if (free > 0) ledger.withdraw(account, money(free), dueMs)
}
