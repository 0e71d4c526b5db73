/** Open interest minute by minute: slow swings, a fall where the price jumps. */
import type { RandomSource } from '../../random/random-source.ts'
import { levelPath, type RevertingPart } from './level-path.ts'
import type { MinuteMoves } from './minute-moves.ts'

const SWINGS: readonly RevertingPart[] = [
  { sd: 0.006, halfLife: 200 },
  { sd: 0.07, halfLife: 4000 },
]
/** A move of more than so many of its standard deviations closes positions. */
const JUMP = 5
/** Largest part that one minute closes. */
const FALL_MAX = 0.03
/** What was closed is opened again within days. */
const REBUILD_HALF_LIFE = 2500

/** Factors on the open interest at the end, oldest first. */
export function interestPath({ returns, sigma }: MinuteMoves, random: RandomSource): Float64Array {
  const factors = levelPath(SWINGS, returns.length, random).level
  const kept = 2 ** (-1 / REBUILD_HALF_LIFE)
  let closedLater = 0
  for (let at = returns.length - 1; at >= 0; at--) {
    factors[at] = Math.exp((factors[at] as number) + closedLater)
    const move = Math.abs((returns[at] as number) / (sigma[at] as number))
    closedLater *= kept
    if (move > JUMP) closedLater += Math.min(FALL_MAX, 0.002 * (move - JUMP))
  }
  return factors
}
