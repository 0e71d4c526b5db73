/** The value below which `part` of the sample lies, 0 to 1, between neighbours; NaN of nothing. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = part * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The part of the sample for which something is true; NaN of nothing. */
export function partOf<T>(values: readonly T[], isSo: (value: T) => boolean): number {
  return values.filter(isSo).length / values.length
}
