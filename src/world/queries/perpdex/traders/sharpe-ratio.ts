/** The Sharpe ratio of a curve, without an interest that could be had without risk. */
import { Cache } from '../../../cache.ts'
import { perWorld } from '../../../per-world.ts'
import type { World } from '../../../world.ts'
import type { EquityCurve } from '../pnl-curves/equity-curve.ts'

/**
 * Mean over standard deviation of the returns from point to point, for a year; null without two
 * different ones.
 */
export function sharpeRatio(world: World, curve: EquityCurve): number | null {
  const { count, mean, squares } = spreadOf(world, curve)
  if (count < 2) return null
  const variance = squares / (count - 1)
  if (variance === 0) return null
  const spanMs = curve.timeMs(curve.length - 1) - curve.timeMs(0)
  const aYear = (YEAR_MS / spanMs) * count
  return roundRatio((mean / Math.sqrt(variance)) * Math.sqrt(aYear))
}

const YEAR_MS = 365 * 86_400_000

const roundRatio = (value: number) => Math.round(value * 10_000) / 10_000

/** Returns as far as a ratio needs them. */
interface Spread {
  count: number
  mean: number
  /** Sum of the squares of what they differ from the mean by. */
  squares: number
}

/** Of returns on grids, which are cached: there is one more when the next point comes. */
const CACHE_LIMIT = 10_000
const gridSpreads = perWorld(() => new Cache<string, Spread>(CACHE_LIMIT))

/** With the return up to now, where now is not on the grid. */
function spreadOf(world: World, curve: EquityCurve): Spread {
  const onGrid = gridSpreads(world).get(curve.key, () => spreadOfGrid(curve))
  const last = curve.length - 1
  if (curve.count > last || last === 0) return onGrid
  const [before, now] = [curve.total(last - 1), curve.total(last)]
  const value = stepReturn(before.value, now.value, now.paidIn - before.paidIn)
  if (value === null) return onGrid
  const count = onGrid.count + 1
  const away = value - onGrid.mean
  return {
    count,
    mean: onGrid.mean + away / count,
    squares: onGrid.squares + (away * away * onGrid.count) / count,
  }
}

function spreadOfGrid(curve: EquityCurve): Spread {
  const { values, paidIn } = curve.totals()
  const returns: number[] = []
  for (let at = 1; at < curve.count; at++) {
    const added = (paidIn[at] as number) - (paidIn[at - 1] as number)
    const value = stepReturn(values[at - 1] as number, values[at] as number, added)
    if (value !== null) returns.push(value)
  }
  const count = returns.length
  const mean = count === 0 ? 0 : returns.reduce((sum, one) => sum + one, 0) / count
  return { count, mean, squares: returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) }
}

/**
 * PnL of a step over what there was before it, with what came in during the step; null where there
 * was nothing.
 */
function stepReturn(before: number, after: number, added: number): number | null {
  const base = before + Math.max(added, 0)
  return base > 0 ? (after - before - added) / base : null
}
