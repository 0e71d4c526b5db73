/** Curves of PnL: what is owned less what came in, from the first point on. */

import type { Moment } from '../../../../contract/facts.ts'
import type { CurveScope, CurveWindow } from '../../../../contract/records/pnl-curve.ts'
import { add, subtract, type Usd } from '../../../../decimal/quantity.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world.ts'
import type { EquityPoint } from './account-history.ts'
import { equityPoints } from './equity-points.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Days of a portfolio's window; 0 is all time. */
export const WINDOW_DAYS: Record<CurveWindow, number> = { day: 1, week: 7, month: 30, allTime: 0 }

/** Points of a trader over days back from now: 15 minutes to a day apart, and now. */
export function pnlCurvePoints(
  world: World,
  moment: Moment,
  trader: number,
  days: number,
): EquityPoint[] {
  return equityPoints(world, moment, trader, curveStep(days), periodStart(days, moment.atMs))
}

/** Points at full hours, and now. */
export function hourlyPoints(
  world: World,
  moment: Moment,
  trader: number,
  days: number,
): EquityPoint[] {
  return equityPoints(world, moment, trader, HOUR_MS, periodStart(days, moment.atMs))
}

/** PnL up to a point since the history began. */
export function pnlOf(point: EquityPoint, scope: CurveScope): Usd {
  const perp = subtract(add(point.main, point.builder), point.perpIn)
  return scope === 'perp' ? perp : add(perp, subtract(point.spot, point.spotIn))
}

/** PnL since the first of the points. */
export function pnlsOf(points: readonly EquityPoint[], scope: CurveScope): Usd[] {
  const [first] = points
  return first ? points.map((point) => subtract(pnlOf(point, scope), pnlOf(first, scope))) : []
}

function curveStep(days: number): number {
  if (days === 0 || days > 30) return DAY_MS
  return days <= 1 ? HOUR_MS / 4 : days <= 7 ? HOUR_MS : 4 * HOUR_MS
}
