/** Quantile of a sample at `part`, 0 to 1, interpolated; NaN for an empty one. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = part * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Fraction of the sample that satisfies a condition; NaN for an empty one. */
export function partOf<T>(values: readonly T[], isSo: (value: T) => boolean): number {
  return values.filter(isSo).length / values.length
}
