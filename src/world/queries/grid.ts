/** Instants at whole steps of the clock that clients are shown. */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import { spanMs } from '../../contract/span.ts'

/** Tape times with fromMs <= time <= now, rising, at most the latest `most`. */
export function gridOf(moment: Moment, stepMs: number, fromMs: number, most = MOST): TapeMs[] {
  const { atMs, shiftMs } = moment
  const lastMs = Math.floor((atMs + shiftMs) / stepMs) * stepMs - shiftMs
  const count = Math.min(Math.floor((lastMs - fromMs) / stepMs) + 1, most)
  return Array.from({ length: Math.max(count, 0) }, (_, at) =>
    tapeMs(lastMs - (count - 1 - at) * stepMs),
  )
}

/** More than a window of half a year has days. */
const MOST = 1_000

/** The longest of the usual steps of which a window has at least `least`; else the shortest. */
export function stepOf(windowMs: number, least: number): number {
  return STEPS_MS.find((stepMs) => least * stepMs <= windowMs) ?? spanMs('1m')
}

const STEPS_MS = ['1d', '4h', '1h', '15m', '5m', '1m'].map(spanMs)
