/** Intervals of a k-line on shown time. */

import {
  HOUR_MS,
  later,
  shownAt,
  shownMs,
  type TapeMs,
  tapeAt,
  tapeMs,
} from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment, PairKlineQuery } from '../../../contract/facts.ts'
import type { IndicatorRecord } from '../../../contract/records/indicator.ts'
import type { Pair } from '../../exchanges/exchanges.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'
import type { World } from '../../world/world.ts'

/** Beijing is eight hours ahead. */
const BEIJING_OFFSET_MS = 8 * HOUR_MS

/** Interval starts of a k-line's period, and the seconds of its times. */
export class KlineClock {
  readonly lengthMs: number
  private readonly offsetMs: number

  constructor(
    private readonly moment: Moment,
    { periodS, openHour }: Pick<PairKlineQuery, 'periodS' | 'openHour'>,
  ) {
    this.lengthMs = periodS * 1000
    // Counted from 1970, a day begins at 00:00 UTC, which is 08:00 in Beijing.
    this.offsetMs = moment.shiftMs + (openHour === 8 ? 0 : BEIJING_OFFSET_MS)
  }

  /** Start of the interval that contains an instant. */
  startOf(timeMs: TapeMs): TapeMs {
    return wholeStep(timeMs, this.offsetMs, this.lengthMs)
  }

  /** An instant in seconds of tape time that are whole seconds in shown time. */
  seconds(timeMs: TapeMs): number {
    const { shiftMs } = this.moment
    return Math.floor(shownAt(timeMs, shiftMs) / 1000) - Math.round(shiftMs / 1000)
  }

  /** The instant of a parameter in seconds. */
  instant(seconds: number): TapeMs {
    const { shiftMs } = this.moment
    return tapeAt(shownMs((seconds + Math.round(shiftMs / 1000)) * 1000), shiftMs)
  }
}

/** The end fixed by `since`, and its instant. */
export interface KlineAnchor {
  end: 'newest' | 'oldest'
  timeMs: TapeMs
}

/** Meaning of `since` by the answer to `kline-since`. */
export function klineAnchor(
  clock: KlineClock,
  { atMs, answers }: Moment,
  sinceS?: number,
): KlineAnchor {
  if (sinceS === undefined) return { end: 'newest', timeMs: atMs }
  const timeMs = clock.instant(sinceS)
  return answers['kline-since'] === 'begin'
    ? { end: 'oldest', timeMs }
    : { end: 'newest', timeMs: tapeMs(Math.min(timeMs, atMs)) }
}

/**
 * Edges of at most `size` intervals, ascending: interval i is `[edges[i], edges[i + 1])`, and at
 * most the last ends after the present. None before `firstMs`, and none at all if that is null.
 */
export function klineEdges(
  clock: KlineClock,
  { end, timeMs }: KlineAnchor,
  { size, firstMs, atMs }: { size: number; firstMs: TapeMs | null; atMs: TapeMs },
): TapeMs[] {
  if (firstMs === null || atMs < firstMs) return []
  const earliestMs = clock.startOf(end === 'oldest' ? tapeMs(Math.max(timeMs, firstMs)) : firstMs)
  const latestMs = clock.startOf(end === 'oldest' ? atMs : timeMs)
  const count = Math.min(Math.floor((latestMs - earliestMs) / clock.lengthMs) + 1, size)
  if (count <= 0) return []
  const fromMs = end === 'oldest' ? earliestMs : later(latestMs, (1 - count) * clock.lengthMs)
  const edges = Array.from({ length: count }, (_, at) => later(fromMs, at * clock.lengthMs))
  const endMs = later(fromMs, count * clock.lengthMs)
  return [...edges, tapeMs(Math.min(endMs, atMs + 1))]
}

/** Input of a series. Interval i is `[edges[i], edges[i + 1])`. */
export interface SeriesContext {
  world: World
  moment: Moment
  pair: Pair
  /** dbKey of the pair. */
  symbol: string
  clock: KlineClock
  edges: TapeMs[]
}

/** The first instant of all intervals, and the first after them. */
export const endsOf = (edges: readonly TapeMs[]): [fromMs: TapeMs, toMs: TapeMs] => [
  edges[0] ?? tapeMs(0),
  edges.at(-1) ?? tapeMs(0),
]

/** The columns of each interval except its time; null where there is no data. */
export type IndicatorSeries = (of: SeriesContext) => Slices<(IndicatorRecord | null)[]>

/** One value per interval, from its first instant and the first after it; one a slice. */
export function* eachInterval<T>(
  edges: readonly TapeMs[],
  of: (fromMs: TapeMs, toMs: TapeMs) => T,
): Slices<T[]> {
  const values: T[] = []
  for (const [at, fromMs] of edges.slice(0, -1).entries()) {
    values.push(of(fromMs, edges[at + 1] as TapeMs))
    yield
  }
  return values
}
