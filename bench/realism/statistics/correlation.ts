import { mean } from './moments.ts'

/** Pearson correlation of two lists by index; NaN if one is constant. */
export function correlation(some: readonly number[], others: readonly number[]): number {
  const count = Math.min(some.length, others.length)
  const [a, b] = [some.slice(0, count), others.slice(0, count)]
  const [middleA, middleB] = [mean(a), mean(b)]
  let [both, squaresA, squaresB] = [0, 0, 0]
  for (const [at, value] of a.entries()) {
    const [x, y] = [value - middleA, (b[at] as number) - middleB]
    both += x * y
    squaresA += x * x
    squaresB += y * y
  }
  return both / Math.sqrt(squaresA * squaresB)
}

/** Correlation of a series with itself at a lag. */
export function autocorrelation(values: readonly number[], lag: number): number {
  return correlation(values.slice(lag), values.slice(0, -lag))
}

/** Correlation of each pair of series, in order of the first, then of the second. */
export function pairwiseCorrelations(series: readonly (readonly number[])[]): number[] {
  return series.flatMap((one, at) =>
    series
      .slice(at + 1)
      .map((other) => correlation(one, other))
      .filter(Number.isFinite),
  )
}
