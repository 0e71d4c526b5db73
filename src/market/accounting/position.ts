import {
  absolute,
  add,
  lesser,
  negate,
  type Px,
  portion,
  raw,
  type Sz,
  subtract,
  times,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { divide, mulDiv, pow10 } from '../../decimal/scaled.ts'
import { MONEY_DECIMALS } from '../world/money-decimals.ts'

/** What is held of one instrument: signed size and signed cost. */
export interface NetPosition {
  sz: Sz
  cost: Usd
}

/** What a fill did to a holding. Sizes and notionals are positive. */
export interface FillEffect extends NetPosition {
  closedPnl: Usd
  openedSz: Sz
  openedNotional: Usd
  closedSz: Sz
  closedNotional: Usd
}

/**
 * A fill at average cost, as the perpetual venue accounts for it: an increase adds to the cost, a
 * decrease releases cost in proportion and realises the rest, a flip does both.
 *
 * `signedSz` is positive for a buy; `notional` is positive. In every case
 * `closedPnl = change of cost - signed notional`, which is why PnL sums to zero over both sides.
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

/** What prices are multiplied and divided by to be the notional of a size, rounded once. */
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

/** Average price of a holding at `decimals`, which may be more than prices have; 0 when flat. */
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

/** What a fill of a perpetual did to the position, as the venue's `dir` says it. */
export function directionText(before: Sz, after: Sz): string {
  if (before === ZERO) return after > ZERO ? 'Open Long' : 'Open Short'
  if (before > ZERO && after < ZERO) return 'Long > Short'
  if (before < ZERO && after > ZERO) return 'Short > Long'
  const name = before > ZERO ? 'Long' : 'Short'
  return absolute(after) > absolute(before) ? `Open ${name}` : `Close ${name}`
}
