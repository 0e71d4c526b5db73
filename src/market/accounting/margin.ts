import {
  absolute,
  add,
  type Px,
  px as priceOf,
  raw,
  type Sz,
  sign,
  subtract,
  times,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { divide, mulDiv, pow10 } from '../../decimal/scaled.ts'
import { MONEY_DECIMALS } from '../schema/schema.ts'
import { type NetPosition, notionalOf } from './position.ts'

/** What margin needs to know of an instrument. */
export interface MarginSpec {
  pxDecimals: number
  szDecimals: number
  maxLeverage: number
}

/** Value of a position at a price, micro-dollars, never negative. */
export function positionValue(sz: Sz, px: Px, of: MarginSpec): Usd {
  return notionalOf(px, absolute(sz), of)
}

/** Signed value less signed cost, micro-dollars. */
export function unrealisedPnl(holding: NetPosition, px: Px, of: MarginSpec): Usd {
  return subtract(times(positionValue(holding.sz, px, of), sign(holding.sz)), holding.cost)
}

/** Maintenance margin: half of the initial margin at the highest leverage, micro-dollars. */
export function maintenanceMargin(value: Usd, maxLeverage: number): Usd {
  return usd(divide(raw(value), 2 * maxLeverage))
}

/** Initial margin at the leverage set, micro-dollars. */
export function initialMargin(value: Usd, leverage: number): Usd {
  return usd(divide(raw(value), leverage))
}

/**
 * Margin that an isolated position carries: cost over leverage. This world moves margin in and out
 * of the position in proportion to its cost and leaves realised PnL in the account's cash.
 */
export function isolatedMargin(cost: Usd, leverage: number): Usd {
  return usd(divide(raw(absolute(cost)), leverage))
}

/**
 * Liquidation price in price units, or null when no price above zero liquidates.
 *
 * `equity` is the equity behind the position at `px`: the account value for cross margin, the
 * position's own margin plus its PnL for isolated. `other` is the maintenance margin of the
 * account's other cross positions (0 for isolated). The venue's formula,
 * `px - side x available / size / (1 - l x side)` with `l = 1 / (2 x maxLeverage)`, solved for the
 * price at which equity meets maintenance.
 */
export function liquidationPx(sz: Sz, px: Px, equity: Usd, other: Usd, of: MarginSpec): Px | null {
  if (sz === ZERO) return null
  const signedValue = times(positionValue(sz, px, of), sign(sz))
  const missing = raw(subtract(add(signedValue, other), equity))
  const twice = 2 * of.maxLeverage
  const weight = raw(sz) * (twice - sign(sz))
  const shift = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const price =
    shift >= 0
      ? mulDiv(missing, twice * pow10(shift), weight)
      : mulDiv(missing, twice, weight * pow10(-shift))
  return price > 0 ? priceOf(price) : null
}
