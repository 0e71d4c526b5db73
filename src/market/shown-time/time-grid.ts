/** Instants at whole steps of the clock that clients are shown. */

import { later, shownAt, shownMs, type TapeMs, tapeAt } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import { spanMs } from '../../contract/span.ts'

/** Tape times with fromMs <= time <= now, rising, at most the latest `most`. */
export function timeGrid(
  moment: Moment,
  stepMs: number,
  fromMs: number,
  most = POINTS_MAX,
): TapeMs[] {
  const { atMs, shiftMs } = moment
  const lastMs = wholeStep(atMs, shiftMs, stepMs)
  const count = Math.min(Math.floor((lastMs - fromMs) / stepMs) + 1, most)
  return Array.from({ length: Math.max(count, 0) }, (_, at) =>
    later(lastMs, (at + 1 - count) * stepMs),
  )
}

/** The last instant up to another at a whole step of the shown clock. */
export function wholeStep(atMs: TapeMs, shiftMs: number, stepMs: number): TapeMs {
  const shown = shownMs(Math.floor(shownAt(atMs, shiftMs) / stepMs) * stepMs)
  return tapeAt(shown, shiftMs)
}

/** More than a window of half a year has days. */
const POINTS_MAX = 1_000

/** The longest of the usual steps of which a window has at least `least`; else the shortest. */
export function gridStep(windowMs: number, least: number): number {
  return STEPS_MS.find((stepMs) => least * stepMs <= windowMs) ?? spanMs('1m')
}

const STEPS_MS = ['1d', '4h', '1h', '15m', '5m', '1m'].map(spanMs)
