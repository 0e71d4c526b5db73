/**
 * Trend test of a series of measurements.
 *
 * A growing series meets three conditions, after the warm-up:
 * - Theil-Sen slope above zero: the median slope of all pairs of samples. It tolerates 29 % of
 *   outliers, and so single peaks and troughs.
 * - Mann-Kendall significance, one-sided at 0.5 %: far more pairs rise than fall. A sawtooth has as
 *   many falls as rises.
 * - Growth over the measured time above the tolerance, which is a share of the median or an amount,
 *   whichever is larger.
 *
 * Samples are taken at rest: no open connections, right after a garbage collection.
 */
export interface TrendRule {
  /** Tolerated growth, as a share of the median. */
  share: number
  /** Growth tolerated in any case, in the unit of the series. */
  amount: number
}

export interface Trend {
  median: number
  /** Per minute. */
  slope: number
  /** Growth by the slope over the measured time. */
  growth: number
  /** Rises less falls, in standard deviations. */
  certainty: number
  verdict: 'steady' | 'grows' | 'too short to tell'
}

export interface Point {
  minute: number
  value: number
}

/** Minimum warm-up: caches fill and code is compiled. */
const WARM_UP = { share: 0.25, minutes: 3 }
const SAMPLES_LEAST = 12
/** One-sided, one in two hundred. */
const CERTAINTY_LEAST = 2.58

export function trendOf(points: readonly Point[], rule: TrendRule): Trend {
  const warm = points
    .slice(Math.floor(points.length * WARM_UP.share))
    .filter(({ minute }) => minute >= WARM_UP.minutes)
  const slopes: number[] = []
  let rises = 0
  for (const [at, later] of warm.entries())
    for (const earlier of warm.slice(0, at)) {
      slopes.push((later.value - earlier.value) / (later.minute - earlier.minute))
      rises += Math.sign(later.value - earlier.value)
    }
  const count = warm.length
  const deviation = Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18)
  const median = medianOf((count > 0 ? warm : points).map(({ value }) => value))
  const slope = medianOf(slopes)
  const growth = slope * ((warm.at(-1)?.minute ?? 0) - (warm[0]?.minute ?? 0))
  const certainty = deviation === 0 ? 0 : rises / deviation
  const isGrowing =
    certainty >= CERTAINTY_LEAST && growth > Math.max(rule.amount, rule.share * median)
  const verdict = count < SAMPLES_LEAST ? 'too short to tell' : isGrowing ? 'grows' : 'steady'
  return { median, slope, growth, certainty, verdict }
}

/** Median; 0 for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] ?? 0
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
