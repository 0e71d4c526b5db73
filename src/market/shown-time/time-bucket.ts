/**
 * The spans that candles cover, in the time that clients are shown.
 *
 * Every length is counted from 1970, as the venue does: a day begins at 00:00 UTC, a week therefore
 * on a Thursday. A month is the calendar's.
 */

import { later, type ShownMs, shownMs, type TapeMs } from '../../clock/instant.ts'
import { readSpan } from '../../contract/span.ts'

export interface TimeBucket<T extends TapeMs | ShownMs> {
  startMs: T
  /** Where the next one begins. */
  endMs: T
}

/**
 * The bucket of an interval (`1s` to `1w`, `1M`) around an instant; null for no interval. With a
 * count, so many of them that follow one another, counted from 1970 too; of months always one.
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
