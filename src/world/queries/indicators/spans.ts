/** Intervals of a k-line, on the clock that clients are shown. */
import type { TapeMs } from '../../../clock/instant.ts'
import type { KlineQuery } from '../../../contract/facts/indicators.ts'
import type { Moment } from '../../../contract/facts.ts'

const HOUR_MS = 3_600_000
/** Beijing is eight hours ahead. */
const AHEAD_MS = 8 * HOUR_MS

/** Where k-lines of a period begin, and the seconds in which they are told. */
export class Clock {
  readonly lengthMs: number
  private readonly offsetMs: number

  constructor(
    private readonly moment: Moment,
    { periodS, openHour }: Pick<KlineQuery, 'periodS' | 'openHour'>,
  ) {
    this.lengthMs = periodS * 1000
    // Counted from 1970, a day begins at 00:00 UTC, which is 08:00 in Beijing.
    this.offsetMs = moment.shiftMs + (openHour === 8 ? 0 : AHEAD_MS)
  }

  /** Beginning of the interval that contains an instant; tape time in and out. */
  startOf(timeMs: number): number {
    const shownMs = timeMs + this.offsetMs
    return Math.floor(shownMs / this.lengthMs) * this.lengthMs - this.offsetMs
  }

  /** An instant in the seconds of tape time that become whole seconds when they are shown. */
  seconds(timeMs: number): number {
    const { shiftMs } = this.moment
    return Math.floor((timeMs + shiftMs) / 1000) - Math.round(shiftMs / 1000)
  }

  /** The instant that a parameter in seconds names. */
  instant(seconds: number): number {
    const { shiftMs } = this.moment
    return (seconds + Math.round(shiftMs / 1000)) * 1000 - shiftMs
  }
}

/** Which end `since` fixes, and where that is; tape time. */
export interface Reach {
  end: 'newest' | 'oldest'
  timeMs: number
}

/** What `since` means by the answer to `kline-since`. */
export function reachOf(clock: Clock, { atMs, answers }: Moment, sinceS?: number): Reach {
  if (sinceS === undefined) return { end: 'newest', timeMs: atMs }
  const timeMs = clock.instant(sinceS)
  return answers['kline-since'] === 'begin'
    ? { end: 'oldest', timeMs }
    : { end: 'newest', timeMs: Math.min(timeMs, atMs) }
}

/**
 * Edges of at most `size` intervals, rising, tape time: interval i is `[edges[i], edges[i + 1])`,
 * and the last ends after the present at the latest. None before `firstMs`.
 */
export function edgesOf(
  clock: Clock,
  { end, timeMs }: Reach,
  { size, firstMs, atMs }: { size: number; firstMs: number; atMs: TapeMs },
): number[] {
  const earliestMs = clock.startOf(end === 'oldest' ? Math.max(timeMs, firstMs) : firstMs)
  const latestMs = clock.startOf(end === 'oldest' ? atMs : timeMs)
  const count = Math.min(Math.floor((latestMs - earliestMs) / clock.lengthMs) + 1, size)
  if (atMs < firstMs || count <= 0) return []
  const fromMs = end === 'oldest' ? earliestMs : latestMs - (count - 1) * clock.lengthMs
  const edges = Array.from({ length: count + 1 }, (_, at) => fromMs + at * clock.lengthMs)
  edges[count] = Math.min(edges[count] as number, atMs + 1)
  return edges
}
