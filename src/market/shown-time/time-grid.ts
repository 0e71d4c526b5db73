/** Instants at whole steps of shown time. */

import {
  DAY_MS,
  later,
  type ShownMs,
  shownAt,
  shownMs,
  type TapeMs,
  tapeAt,
  tapeMs,
} from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import { readSpan, spanMs } from '../../contract/span.ts'

/** Requested intervals of a history. */
interface IntervalRange {
  interval: string
  limit: number
  startTimeMs?: number | undefined
  endTimeMs?: number | undefined
}

/**
 * Edges of the requested intervals, oldest first, tape time: interval i is `[edges[i], edges[i +
 * 1])`, and at most the last ends after the present. Empty when there is none. They lie on shown
 * time; `firstMs` is the start of the history.
 */
export function intervalEdges(range: IntervalRange, moment: Moment, firstMs: number): TapeMs[] {
  const { atMs, shiftMs, answers } = moment
  if (atMs < firstMs) return []
  const lengthMs = spanMs(range.interval)
  const start = (timeMs: TapeMs) =>
    tapeAt(bucketOf(range.interval, shownAt(timeMs, shiftMs))?.startMs ?? shownMs(0), shiftMs)
  const earliestMs = start(tapeMs(Math.max(firstMs, range.startTimeMs ?? firstMs)))
  const latestMs = start(tapeMs(Math.min(atMs, range.endTimeMs ?? atMs)))
  const found = Math.floor((latestMs - earliestMs) / lengthMs) + 1
  const count = Math.min(found, range.limit)
  if (count <= 0) return []
  const forward = range.startTimeMs !== undefined && answers['history-excess'] === 'oldest'
  const fromMs = forward ? earliestMs : later(latestMs, (1 - count) * lengthMs)
  const edges = Array.from({ length: count + 1 }, (_, at) => later(fromMs, at * lengthMs))
  edges[count] = tapeMs(Math.min(edges[count] as number, atMs + 1))
  return edges
}

/** Start of a period of so many days back; 0 days are all time. */
export const periodStart = (days: number, atMs: TapeMs): TapeMs =>
  days === 0 ? tapeMs(0) : later(atMs, -days * DAY_MS)

/**
 * Spans of candles in shown time.
 *
 * Every length is counted from 1970, as on the venue: a day begins at 00:00 UTC, a week therefore
 * on a Thursday. Months are calendar months.
 */
export interface TimeBucket<T extends TapeMs | ShownMs> {
  startMs: T
  /** Start of the next one. */
  endMs: T
}

/**
 * The bucket of an interval (`1s` to `1w`, `1M`) around an instant; null for an unknown interval.
 * With a count, so many consecutive ones, counted from 1970 too; of months always one.
 */
export function bucketOf(interval: string, timeMs: ShownMs, count = 1): TimeBucket<ShownMs> | null {
  if (interval === '1M') return monthBucket(timeMs)
  const spanMs = readSpan(interval)
  if (spanMs === null) return null
  const lengthMs = spanMs * count
  const startMs = shownMs(Math.floor(timeMs / lengthMs) * lengthMs)
  return { startMs, endMs: later(startMs, lengthMs) }
}

function monthBucket(timeMs: ShownMs): TimeBucket<ShownMs> {
  const date = new Date(timeMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { startMs: shownMs(Date.UTC(year, month)), endMs: shownMs(Date.UTC(year, month + 1)) }
}

/** Tape times with fromMs <= time <= now, ascending, at most the latest `most`. */
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

/** Last instant up to another at a whole step of shown time. */
export function wholeStep(atMs: TapeMs, shiftMs: number, stepMs: number): TapeMs {
  const shown = shownMs(Math.floor(shownAt(atMs, shiftMs) / stepMs) * stepMs)
  return tapeAt(shown, shiftMs)
}

/** Exceeds the days in half a year. */
const POINTS_MAX = 1_000

/** The longest usual step of which a window has at least `least`; else the shortest. */
export function gridStep(windowMs: number, least: number): number {
  return STEPS_MS.find((stepMs) => least * stepMs <= windowMs) ?? spanMs('1m')
}

const STEPS_MS = ['1d', '4h', '1h', '15m', '5m', '1m'].map(spanMs)
