/** The Sharpe ratio of a trader, without an interest that could be had without risk. */

import { DAY_MS } from '../../../../clock/durations.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { periodStart } from '../../../shown-time/period.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import { Cache } from '../../../world/cache.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'
import { type EquityCurve, equityCurve } from '../pnl-curves/equity-curve.ts'

const DAYS_A_YEAR = 365
/** Fewer returns say nothing; of a week or two there are hardly more. */
const RETURNS_MIN = { ofWeeks: 5, otherwise: 15 }
const WEEKS_DAYS = 15

/**
 * Mean over standard deviation of the returns of so many whole days up to the last shown midnight,
 * or of all, times the root of the days of a year; null with fewer than 15 (five where no more
 * than 15 days are asked for), or while they are all the same.
 */
export function sharpeRatio(
  world: World,
  moment: Moment,
  trader: number,
  days: number,
): number | null {
  const midnightMs = wholeStep(moment.atMs, moment.shiftMs, DAY_MS)
  const curve = equityCurve(world, moment, trader, DAY_MS, periodStart(days, midnightMs))
  const isShort = days > 0 && days <= WEEKS_DAYS
  const least = isShort ? RETURNS_MIN.ofWeeks : RETURNS_MIN.otherwise
  return ratiosOf(world).get(curve.key, () => ratioOf(dailyReturns(curve), least))
}

/** Of days that are over, which are cached. */
const CACHE_LIMIT = 10_000
const ratiosOf = perWorld(() => new Cache<string, number | null>(CACHE_LIMIT))

function ratioOf(returns: readonly number[], least: number): number | null {
  const count = returns.length
  if (count < least) return null
  const mean = returns.reduce((sum, one) => sum + one, 0) / count
  const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1)
  if (variance === 0) return null
  return roundRatio((mean / Math.sqrt(variance)) * Math.sqrt(DAYS_A_YEAR))
}

const roundRatio = (value: number) => Math.round(value * 10_000) / 10_000

/** PnL of each day over what there was before it, with what came in; days without any left out. */
function dailyReturns(curve: EquityCurve): number[] {
  const { values, paidIn } = curve.totals()
  const returns: number[] = []
  for (let at = 1; at < curve.count; at++) {
    const [before, after] = [values[at - 1] as number, values[at] as number]
    const added = (paidIn[at] as number) - (paidIn[at - 1] as number)
    const base = before + Math.max(added, 0)
    if (base > 0) returns.push((after - before - added) / base)
  }
  return returns
}
