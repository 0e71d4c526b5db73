import {
  absolute,
  add,
  divide,
  greater,
  lesser,
  mulDiv,
  negate,
  type Px,
  portion,
  pow10,
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
import { MONEY_DECIMALS } from '../world/money-decimals.ts'

/** Net position in one instrument: signed size and signed cost. */
export interface NetPosition {
  sz: Sz
  cost: Usd
}

/** Effect of a fill on a position. Sizes and notionals are positive. */
export interface FillEffect extends NetPosition {
  closedPnl: Usd
  openedSz: Sz
  openedNotional: Usd
  closedSz: Sz
  closedNotional: Usd
}

/**
 * The position after a fill, at average cost as on the perpetual venue: an increase adds to the
 * cost, a decrease releases cost in proportion and realises the rest, a flip does both.
 *
 * `signedSz` is positive for a buy; `notional` is positive. In every case `closedPnl = change of
 * cost - signed notional`, so PnL sums to zero over both sides.
 */
export function afterFill(holding: NetPosition, signedSz: Sz, notional: Usd): FillEffect {
  const { sz, cost } = holding
  const size = absolute(signedSz)
  const heldSz = absolute(sz)
  const direction = signedSz < ZERO ? -1 : 1
  const closes = sz !== ZERO && sz < ZERO !== signedSz < ZERO
  const closedSz: Sz = closes ? lesser(heldSz, size) : ZERO
  const closedNotional = closedSz === size ? notional : portion(notional, closedSz, size)
  const openedNotional = subtract(notional, closedNotional)
  const released: Usd =
    closedSz === ZERO ? ZERO : closedSz === heldSz ? cost : portion(cost, closedSz, heldSz)
  return {
    sz: add(sz, signedSz),
    cost: add(subtract(cost, released), times(openedNotional, direction)),
    closedPnl: closes ? negate(add(released, times(closedNotional, direction))) : ZERO,
    openedSz: subtract(size, closedSz),
    openedNotional,
    closedSz,
    closedNotional,
  }
}

/** px x sz in money of `moneyDecimals`, rounded half to even once. */
export function notionalOf(
  px: Px,
  sz: Sz,
  of: { pxDecimals: number; szDecimals: number },
  moneyDecimals = MONEY_DECIMALS,
): Usd {
  const { factor, divisor } = notionalScale(sz, of, moneyDecimals)
  return usd(mulDiv(raw(px), factor, divisor))
}

/** Scale that turns price times size into a notional, rounded once. */
export function notionalScale(
  sz: Sz,
  of: { pxDecimals: number; szDecimals: number },
  moneyDecimals = MONEY_DECIMALS,
): { factor: number; divisor: number } {
  const surplus = of.pxDecimals + of.szDecimals - moneyDecimals
  return surplus > 0
    ? { factor: raw(sz), divisor: pow10(surplus) }
    : { factor: raw(sz) * pow10(-surplus), divisor: 1 }
}

/**
 * Average entry price of a position at `decimals`, which may be more than prices have; 0 when flat.
 */
export function entryPx(
  { sz, cost }: NetPosition,
  szDecimals: number,
  moneyDecimals: number,
  decimals: number,
): number {
  if (sz === ZERO) return 0
  const shift = szDecimals + decimals - moneyDecimals
  if (shift >= 0) return mulDiv(raw(cost), pow10(shift), raw(sz))
  return divide(raw(cost), raw(sz) * pow10(-shift))
}

/** Direction of a perpetual's fill, in the words of the venue's `dir`. */
export function directionText(before: Sz, after: Sz): string {
  if (before === ZERO) return after > ZERO ? 'Open Long' : 'Open Short'
  if (before > ZERO && after < ZERO) return 'Long > Short'
  if (before < ZERO && after > ZERO) return 'Short > Long'
  const name = before > ZERO ? 'Long' : 'Short'
  return absolute(after) > absolute(before) ? `Open ${name}` : `Close ${name}`
}

/** Fields of an instrument that margin arithmetic reads. */
interface MarginSpec {
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

/** Initial margin at the account's leverage, micro-dollars. */
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

/** The crowd's long interest at a total; its shorts balance the traders' net position. */
export function crowdLong(total: Sz, traders: { longSize: Sz; netSize: Sz }): Sz {
  const rest = subtract(total, traders.longSize)
  return greater(rest, greater(negate(traders.netSize), ZERO))
}
