/** Moments of a sample; NaN where it is too small. */

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function variance(values: readonly number[]): number {
  return centralMoment(values, 2)
}

export const deviation = (values: readonly number[]): number => Math.sqrt(variance(values))

/** 3 for a normal distribution. */
export function kurtosis(values: readonly number[]): number {
  return centralMoment(values, 4) / variance(values) ** 2
}

/** 0 for a symmetric distribution. */
export function skewness(values: readonly number[]): number {
  return centralMoment(values, 3) / variance(values) ** 1.5
}

function centralMoment(values: readonly number[], power: number): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** power, 0) / values.length
}
