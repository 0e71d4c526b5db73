/** Averages and what is made of them, one value for each bar. */

/** Whether one series has just risen above another. */
export const crossesUp = (one: readonly number[], other: readonly number[], at: number) =>
  at > 0 &&
  (one[at - 1] as number) <= (other[at - 1] as number) &&
  (one[at] as number) > (other[at] as number)

/** Mean of the last `count` values; of fewer while there are not as many. */
export function simpleAverage(values: readonly number[], count: number): number[] {
  let sum = 0
  return values.map((value, at) => {
    sum += value - (at >= count ? (values[at - count] as number) : 0)
    return sum / Math.min(count, at + 1)
  })
}

export function exponentialAverage(values: readonly number[], count: number): number[] {
  return smoothedAverage(values, 2 / (count + 1))
}

/** Exponential: each value has so much weight, those before it the rest. */
export function smoothedAverage(values: readonly number[], part: number): number[] {
  let average = values[0] ?? 0
  return values.map((value) => {
    average += (value - average) * part
    return average
  })
}

/** Standard deviation of the last `count` values around their mean. */
export function standardDeviation(values: readonly number[], count: number): number[] {
  const means = simpleAverage(values, count)
  return values.map((_, at) => {
    const part = values.slice(Math.max(0, at + 1 - count), at + 1)
    const squares = part.reduce((sum, value) => sum + (value - (means[at] as number)) ** 2, 0)
    return Math.sqrt(squares / part.length)
  })
}

/** 0 to 100: how much of the movement was upward. */
export function relativeStrength(closes: readonly number[], count: number): number[] {
  const moves = closes.map((close, at) => close - (closes[at - 1] ?? close))
  const ups = smoothedAverage(
    moves.map((move) => Math.max(move, 0)),
    1 / count,
  )
  const all = smoothedAverage(moves.map(Math.abs), 1 / count)
  return ups.map((up, at) => (all[at] === 0 ? 50 : (100 * up) / (all[at] as number)))
}

/** How many closes in a row lie above (below for -1) the one four bars earlier. */
export function closeSequence(closes: readonly number[], sign: 1 | -1): number[] {
  let count = 0
  return closes.map((close, at) => {
    const before = closes[at - 4]
    count = before !== undefined && (close - before) * sign > 0 ? count + 1 : 0
    return count
  })
}
