import type { RandomSource } from '../random/random-source.ts'

/** What is traded in each minute for moves in standard deviations, and levels, as logarithms. */
export function turnoverOf(
  moves: Float64Array,
  levels: readonly Float64Array[],
  activity: Float64Array,
  random: RandomSource,
): Float64Array {
  const turnover = random.normals(moves.length)
  for (let at = 0; at < turnover.length; at++)
    turnover[at] = TURNOVER_NOISE * (turnover[at] as number) - TURNOVER_NOISE ** 2 / 2
  for (const level of levels)
    for (let at = 0; at < turnover.length; at++)
      turnover[at] = (turnover[at] as number) + (level[at] as number)
  const trendKept = 2 ** (-1 / BY_MOVE.halfLife)
  const trendMoved = Math.sqrt(1 - trendKept ** 2)
  let trend = 0
  for (let at = 0; at < turnover.length; at++) {
    const move = moves[at] as number
    trend = trend * trendKept + move * trendMoved
    const drawn = (activity[at] as number) * drawnBy(move, trend)
    turnover[at] = drawn * Math.exp(turnover[at] as number)
  }
  return turnover
}

/**
 * How turnover follows moves, in variances: that of the minute, and those before it, which are
 * forgotten within so many minutes. A move beyond `most` draws no more.
 */
const BY_MOVE = {
  floor: 0.7,
  now: 0.15,
  before: 0.45,
  halfLife: 30,
  most: 20,
  exponent: 0.38,
  mean: 1.05,
}
const TURNOVER_NOISE = 0.4

/** Turnover for a move of the minute and one of the last hour, in standard deviations. */
function drawnBy(move: number, trend: number): number {
  const { floor, now, before, most, exponent, mean } = BY_MOVE
  const variance = now * Math.min(most, move ** 2) + before * Math.min(most, trend ** 2)
  return (floor + variance) ** exponent / mean
}
