import { divide, power, share } from '../../decimal/scaled.ts'

/** What is held of one instrument: signed size, and signed cost in any money unit. */
export interface Holding {
  sz: number
  cost: number
}

/** What a fill did to a holding. Sizes and notionals are positive. */
export interface Change extends Holding {
  closedPnl: number
  openedSz: number
  openedNotional: number
  closedSz: number
  closedNotional: number
}

/**
 * A fill at average cost, as the perpetual venue books it: what adds to a position adds to its
 * cost, what takes away releases cost in proportion and realises the rest, a flip does both.
 *
 * `signedSz` is positive for a buy; `notional` is positive. In every case
 * `closedPnl = change of cost - signed notional`, which is why PnL sums to zero over both sides.
 */
export function afterFill(holding: Holding, signedSz: number, notional: number): Change {
  const { sz, cost } = holding
  const size = Math.abs(signedSz)
  const sign = signedSz < 0 ? -1 : 1
  const closedSz = sz !== 0 && sz < 0 !== signedSz < 0 ? Math.min(Math.abs(sz), size) : 0
  const closedNotional = closedSz === size ? notional : share(notional, closedSz, size)
  const openedNotional = notional - closedNotional
  const whole = closedSz === Math.abs(sz)
  const released = closedSz === 0 ? 0 : whole ? cost : share(cost, closedSz, Math.abs(sz))
  return {
    sz: sz + signedSz,
    cost: cost - released + sign * openedNotional,
    closedPnl: closedSz === 0 ? 0 : -released - sign * closedNotional,
    openedSz: size - closedSz,
    openedNotional,
    closedSz,
    closedNotional,
  }
}

/** px x sz in money of `moneyDecimals`, rounded half to even once. */
export function notionalOf(
  px: number,
  sz: number,
  of: { pxDecimals: number; szDecimals: number },
  moneyDecimals: number,
): number {
  const surplus = of.pxDecimals + of.szDecimals - moneyDecimals
  return surplus > 0 ? share(px, sz, power(surplus)) : share(px, sz * power(-surplus), 1)
}

/** Average price of a holding at `decimals`; 0 when nothing is held. */
export function entryPx(
  holding: Holding,
  szDecimals: number,
  moneyDecimals: number,
  decimals: number,
): number {
  if (holding.sz === 0) return 0
  const shift = szDecimals + decimals - moneyDecimals
  if (shift >= 0) return share(holding.cost, power(shift), holding.sz)
  return divide(holding.cost, holding.sz * power(-shift))
}

/** Words for what a fill of a perpetual did to the position (shapes 2.8). */
export function wording(before: number, after: number): string {
  if (before === 0) return after > 0 ? 'Open Long' : 'Open Short'
  if (before > 0 && after < 0) return 'Long > Short'
  if (before < 0 && after > 0) return 'Short > Long'
  const name = before > 0 ? 'Long' : 'Short'
  return Math.abs(after) > Math.abs(before) ? `Open ${name}` : `Close ${name}`
}
