/** The maximum drawdown of an account of perpetuals (the service's documentation, action map). */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { raw, type Usd, usd } from '../../../../decimal/quantity.ts'
import { Cache } from '../../../world/cache.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'
import type { EquityCurve } from './equity-curve.ts'
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
  const last = curve.length - 1
  let losses = gridLosses(world).get(curve.key, () => lossesOf(curve))
  if (last === curve.count) {
    losses = { ...losses }
    addPoint(losses, last, raw(curve.perp(last)), raw(curve.perpIn(last)))
  }
  const [from, to] = losses.deepest === 0 ? [last, last] : [losses.from, losses.to]
  const [high, low] = [raw(curve.perp(from)), raw(curve.perp(to))]
  const netIn = raw(curve.perpIn(to)) - raw(curve.perpIn(from))
  return {
    high: { timeMs: curve.timeMs(from), value: usd(high) },
    low: { timeMs: curve.timeMs(to), value: usd(low) },
    lost: usd(high + netIn - low),
    base: usd(drawdownBase(high, netIn, high + netIn - low)),
    netIn: usd(netIn),
  }
}

/** Up to a point: its highest PnL, and the deepest loss, as a part and by its two points. */
interface Losses {
  high: number
  highPnl: number
  highEquity: number
  highIn: number
  from: number
  to: number
  deepest: number
}

/** Losses on grids that are cached: they change when the next point comes. */
const CACHE_LIMIT = 10_000
const gridLosses = perWorld(() => new Cache<string, Losses>(CACHE_LIMIT))

/** Of the points of a curve that lie on its grid. */
function lossesOf(curve: EquityCurve): Losses {
  const losses = {
    high: 0,
    highPnl: Number.NEGATIVE_INFINITY,
    highEquity: 0,
    highIn: 0,
    from: 0,
    to: 0,
    deepest: 0,
  }
  const [equities, deposits] = [curve.perpColumn(), curve.column('perpIn')]
  for (let at = 0; at < curve.count; at++)
    addPoint(losses, at, equities[at] as number, deposits[at] as number)
  return losses
}

function addPoint(losses: Losses, at: number, equity: number, deposited: number): void {
  const pnl = equity - deposited
  if (pnl >= losses.highPnl) {
    losses.high = at
    losses.highPnl = pnl
    losses.highEquity = equity
    losses.highIn = deposited
  }
  const lost = losses.highPnl - pnl
  if (lost <= losses.deepest * losses.highEquity) return
  const ratio = lost / drawdownBase(losses.highEquity, deposited - losses.highIn, lost)
  if (ratio <= losses.deepest) return
  losses.deepest = ratio
  losses.from = losses.high
  losses.to = at
}

/**
 * What there was at the high, and what came in after it; never nothing, and never less than was
 * lost: a debt is no part of an account. Micro-dollars.
 */
const drawdownBase = (high: number, netIn: number, lost: number) =>
  Math.max(high + Math.max(netIn, 0), lost, 1)
