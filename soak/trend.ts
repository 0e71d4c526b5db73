/**
 * Whether a series of measurements grows.
 *
 * Three things must come together, of the samples after the warm-up:
 * - The slope, by Theil and Sen: the median of the slopes between all pairs of samples. Up to 29 of
 *   100 samples may be anything at all, so no single peak and no trough moves it.
 * - Its certainty, by Mann and Kendall: of all pairs so many more must rise than fall that chance
 *   would bring it about once in two hundred series. A sawtooth has as many falls as rises, however
 *   steep its teeth are.
 * - Its weight: what it adds up to over the measured time must be more than the tolerance, a share
 *   of the median or an amount, whichever is larger.
 *
 * Each sample is one of rest: nothing is open, and everything unused was collected just before. So
 * there is little of a sawtooth to begin with.
 */
export interface TrendRule {
  /** Growth that is tolerated, as a share of the median. */
  share: number
  /** Growth that is tolerated in any case, in the unit of the series. */
  amount: number
}

export interface Trend {
  median: number
  /** Per minute. */
  slope: number
  /** What the slope adds up to over the measured time. */
  growth: number
  /** Rises less falls, in standard deviations. */
  certainty: number
  verdict: 'steady' | 'grows' | 'too short to tell'
}

export interface Point {
  minute: number
  value: number
}

/** How much of the beginning is warm-up, at least: caches fill and code is compiled. */
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

/** The value in the middle; 0 of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] ?? 0
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
