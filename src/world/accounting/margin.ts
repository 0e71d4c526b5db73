import { divide, power, share } from '../../decimal/scaled.ts'
import { MONEY_DECIMALS } from '../schema.ts'
import { type Holding, notionalOf } from './position.ts'

/** What margin needs to know of an instrument. */
export interface Terms {
  pxDecimals: number
  szDecimals: number
  maxLeverage: number
}

/** Value of a position at a price, micro-dollars, never negative. */
export function positionValue(sz: number, px: number, of: Terms): number {
  return notionalOf(px, Math.abs(sz), of, MONEY_DECIMALS)
}

/** Signed value less signed cost, micro-dollars. */
export function unrealisedPnl(holding: Holding, px: number, of: Terms): number {
  return Math.sign(holding.sz) * positionValue(holding.sz, px, of) - holding.cost
}

/** Maintenance margin: half of the initial margin at the highest leverage, micro-dollars. */
export function maintenanceMargin(valueUsd: number, maxLeverage: number): number {
  return divide(valueUsd, 2 * maxLeverage)
}

/** Initial margin at the leverage set, micro-dollars. */
export function initialMargin(valueUsd: number, leverage: number): number {
  return divide(valueUsd, leverage)
}

/**
 * Margin that an isolated position carries: cost over leverage. This world moves margin in and out
 * of the position in proportion to its cost and leaves realised PnL in the account's cash.
 */
export function isolatedMargin(cost: number, leverage: number): number {
  return divide(Math.abs(cost), leverage)
}

/**
 * Liquidation price in price units, or null when no price above zero liquidates.
 *
 * `equityUsd` is the equity behind the position at `px`: the account value for cross margin, the
 * position's own margin plus its PnL for isolated. `otherUsd` is the maintenance margin of the
 * account's other cross positions (0 for isolated). The venue's formula,
 * `px - side x available / size / (1 - l x side)` with `l = 1 / (2 x maxLeverage)`, solved for the
 * price at which equity meets maintenance.
 */
export function liquidationPx(
  sz: number,
  px: number,
  equityUsd: number,
  otherUsd: number,
  of: Terms,
): number | null {
  if (sz === 0) return null
  const signedValue = Math.sign(sz) * positionValue(sz, px, of)
  const missing = signedValue + otherUsd - equityUsd
  const twice = 2 * of.maxLeverage
  const weight = sz * (twice - Math.sign(sz))
  const shift = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const price =
    shift >= 0
      ? share(missing, twice * power(shift), weight)
      : share(missing, twice, weight * power(-shift))
  return price > 0 ? price : null
}
