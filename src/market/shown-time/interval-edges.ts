/** Which intervals of a history are answered. */

import { later, shownAt, shownMs, type TapeMs, tapeAt, tapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import { spanMs } from '../../contract/span.ts'
import { bucketOf } from './time-bucket.ts'

interface IntervalRange {
  interval: string
  limit: number
  startTimeMs?: number | undefined
  endTimeMs?: number | undefined
}

/**
 * Edges of the intervals asked for, oldest first, tape time: interval i is
 * `[edges[i], edges[i + 1])`, and the last ends after the present at the latest. Empty when there
 * is none. They lie on the clock that clients are shown; `firstMs` is where the history begins.
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
