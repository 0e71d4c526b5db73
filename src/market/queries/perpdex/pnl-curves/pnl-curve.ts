/** Curves of PnL: what is owned less what came in, from the first point on. */

import { DAY_MS, HOUR_MS } from '../../../../clock/durations.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { CurveScope, CurveWindow } from '../../../../contract/records/pnl-curve.ts'
import { type Usd, usd } from '../../../../decimal/quantity.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world/world.ts'
import { type EquityCurve, equityCurve } from './equity-curve.ts'

/** Days of a portfolio's window; 0 is all time. */
export const WINDOW_DAYS: Record<CurveWindow, number> = { day: 1, week: 7, month: 30, allTime: 0 }

/** Of a trader over days back from now: points 15 minutes to a day apart, and now. */
export function pnlCurve(world: World, moment: Moment, trader: number, days: number): EquityCurve {
  return equityCurve(world, moment, trader, curveStep(days), periodStart(days, moment.atMs))
}

/** Points at full hours, and now. */
export function hourlyCurve(
  world: World,
  moment: Moment,
  trader: number,
  days: number,
): EquityCurve {
  return equityCurve(world, moment, trader, HOUR_MS, periodStart(days, moment.atMs))
}

/** PnL of each point since the first. */
export function pnlsOf(curve: EquityCurve, scope: CurveScope): Usd[] {
  const pnls = curve.pnlColumn(scope)
  return Array.from(pnls, (pnl) => usd(pnl - (pnls[0] as number)))
}

function curveStep(days: number): number {
  if (days === 0 || days > 30) return DAY_MS
  return days <= 1 ? HOUR_MS / 4 : days <= 7 ? HOUR_MS : 4 * HOUR_MS
}
