/** Intervals of a k-line, on the clock that clients are shown. */

import { HOUR_MS } from '../../../clock/durations.ts'
import { later, shownAt, shownMs, type TapeMs, tapeAt, tapeMs } from '../../../clock/instant.ts'
import type { PairKlineQuery } from '../../../contract/facts/indicator.ts'
import type { Moment } from '../../../contract/facts.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'

/** Beijing is eight hours ahead. */
const BEIJING_OFFSET_MS = 8 * HOUR_MS

/** Where k-lines of a period begin, and the seconds in which their times are given. */
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

  /** Beginning of the interval that contains an instant. */
  startOf(timeMs: TapeMs): TapeMs {
    return wholeStep(timeMs, this.offsetMs, this.lengthMs)
  }

  /** An instant in the seconds of tape time that become whole seconds when they are shown. */
  seconds(timeMs: TapeMs): number {
    const { shiftMs } = this.moment
    return Math.floor(shownAt(timeMs, shiftMs) / 1000) - Math.round(shiftMs / 1000)
  }

  /** The instant that a parameter in seconds names. */
  instant(seconds: number): TapeMs {
    const { shiftMs } = this.moment
    return tapeAt(shownMs((seconds + Math.round(shiftMs / 1000)) * 1000), shiftMs)
  }
}

/** Which end `since` fixes, and where that is. */
export interface KlineAnchor {
  end: 'newest' | 'oldest'
  timeMs: TapeMs
}

/** What `since` means by the answer to `kline-since`. */
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
 * Edges of at most `size` intervals, rising: interval i is `[edges[i], edges[i + 1])`, and the last
 * ends after the present at the latest. None before `firstMs`, and none at all if that is null.
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
