import { mean } from './moments.ts'

/** Minimum number of values for a tail. */
const TAIL_MIN = 10

/**
 * Exponent of the tail of positive values (Hill's estimator) over the largest `part` of them:
 * P(X > x) falls like x to the minus exponent. NaN where too few are left.
 */
export function tailExponent(values: readonly number[], part: number): number {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => b - a)
  const count = Math.floor(sorted.length * part)
  const threshold = sorted[count]
  if (threshold === undefined || count < TAIL_MIN) return Number.NaN
  return 1 / mean(sorted.slice(0, count).map((value) => Math.log(value / threshold)))
}

/** Exponent by which values fall with their rank, by least squares of logarithms (Zipf's law). */
export function rankExponent(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => b - a)
  const [ranks, logs] = [
    sorted.map((_, at) => Math.log(at + 1)),
    sorted.map((value) => Math.log(value)),
  ]
  const [rank, log] = [mean(ranks), mean(logs)]
  const slope = ranks.reduce((sum, one, at) => sum + (one - rank) * ((logs[at] as number) - log), 0)
  return -slope / ranks.reduce((sum, one) => sum + (one - rank) ** 2, 0)
}
