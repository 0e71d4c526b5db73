/** When positions are liquidated: always some, many more when the price runs against them. */
import type { RandomSource } from '../random/random-source.ts'
import type { MinuteMoves } from './minute-moves.ts'

export interface ForcedClosing {
  /** Place of the minute. */
  minute: number
  /** The side that is closed. */
  position: 'long' | 'short'
  /** Its value against the least that is told, 1 or more. */
  size: number
}

/** A move of more than so many standard deviations triggers more of them. */
const CALM = 1
const TAIL_EXPONENT = 1.15
const SIZE_MAX = 3000

/**
 * The liquidations of an instrument.
 *
 * @param perHour how many there are in a calm hour
 */
export function forcedClosings(
  { returns, sigma }: MinuteMoves,
  perHour: number,
  random: RandomSource,
): ForcedClosing[] {
  const found: ForcedClosing[] = []
  for (const [minute, move] of returns.entries()) {
    const excess = Math.max(0, Math.abs(move / (sigma[minute] as number)) - CALM)
    let expected = (perHour / 60) * (0.7 + excess ** 2)
    for (; random.chance(Math.min(expected, 0.9)) && expected > 0; expected *= 0.7) {
      const against = move < 0 ? 'long' : 'short'
      const other = move < 0 ? 'short' : 'long'
      const size = Math.min(SIZE_MAX, (1 - random.unit()) ** (-1 / TAIL_EXPONENT))
      found.push({ minute, position: random.chance(0.85) ? against : other, size })
    }
  }
  return found
}
