/** The maximum drawdown of an account of perpetuals (the service's documentation, action map). */
import type { TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { type Usd, usd } from '../../../../decimal/quantity.ts'
import type { World } from '../../../world.ts'
import { hourlyCurve } from './pnl-curve.ts'

export interface DrawdownSpan {
  high: { timeMs: TapeMs; value: Usd }
  low: { timeMs: TapeMs; value: Usd }
  /** What was lost from the high to the low. */
  lost: Usd
  /** What there was to lose: the high, and what came in after it. */
  base: Usd
  /** What came in less what went out between the two. */
  netIn: Usd
}

/**
 * Of all instants at full hours and now, the two between which the largest part of the account was
 * lost, the first being a high of its PnL. Deposits and withdrawals are no gain and no loss:
 * lost = high + netIn - low. Without a loss both are now; null for a trader without any activity.
 */
export function drawdownOf(
  world: World,
  moment: Moment,
  trader: number,
  days: number,
): DrawdownSpan | null {
  const curve = hourlyCurve(world, moment, trader, days)
  if (curve.length === 0) return null
  const [equities, deposits] = [curve.perpColumn(), curve.column('perpIn')]
  const last = curve.length - 1
  let [high, highPnl, highEquity, highIn] = [0, Number.NEGATIVE_INFINITY, 0, 0]
  let [from, to, deepest] = [last, last, 0]
  for (let at = 0; at <= last; at++) {
    const equity = equities[at] as number
    const deposited = deposits[at] as number
    const pnl = equity - deposited
    if (pnl >= highPnl) [high, highPnl, highEquity, highIn] = [at, pnl, equity, deposited]
    const lost = highPnl - pnl
    if (lost <= deepest * highEquity) continue
    const ratio = lost / drawdownBase(highEquity, deposited - highIn)
    if (ratio > deepest) [from, to, deepest] = [high, at, ratio]
  }
  const netIn = (deposits[to] as number) - (deposits[from] as number)
  const [highest, low] = [equities[from] as number, equities[to] as number]
  return {
    high: { timeMs: curve.timeMs(from), value: usd(highest) },
    low: { timeMs: curve.timeMs(to), value: usd(low) },
    lost: usd(highest + netIn - low),
    base: usd(drawdownBase(highest, netIn)),
    netIn: usd(netIn),
  }
}

/** What there was at the high, and what came in after it; never nothing. Micro-dollars. */
const drawdownBase = (high: number, netIn: number) => Math.max(high + Math.max(netIn, 0), 1)
