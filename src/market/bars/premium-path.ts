/** How far perpetuals are above or below their oracle, hour by hour; funding follows from it. */
import type { RandomSource } from '../../random/random-source.ts'
import { evenLevelPath, type RevertingPart } from './level-path.ts'

/** What is known of an instrument's premium. */
export interface PremiumTraits {
  coin: string
  /** Where it ends: premium of the mark over the oracle, as a part of one. */
  endPremium: number
  /** How far it strays, as a part of one. */
  spread: number
}

/** Where the venue's interest rate alone would hold it. */
const USUAL = 0.0001
/** Shares of the variance: the whole market's mood, and spells of hours and of days of its own. */
const SHARED: readonly RevertingPart[] = [{ sd: 0.5, halfLife: 30 }]
const OWN: readonly RevertingPart[] = [
  { sd: 0.55, halfLife: 4 },
  { sd: 0.67, halfLife: 40 },
]
/** After so many hours nothing is left of where it ends. */
const END_HALF_LIFE_HOURS = 12

/** Premiums of each hour in order of `traits`, oldest first, the last an hour before the end. */
export function premiumPaths(
  traits: readonly PremiumTraits[],
  hours: number,
  random: RandomSource,
): Float64Array[] {
  const shared = evenLevelPath(SHARED, hours, random.fork('shared')).level
  return traits.map(({ coin, endPremium, spread }) => {
    const own = evenLevelPath(OWN, hours, random.fork(coin)).level
    return own.map((level, at) => {
      const fromEnd = (endPremium - USUAL) * 2 ** ((at - hours) / END_HALF_LIFE_HOURS)
      const strayed = level + (shared[at] as number)
      // What strays far is brought back by those who trade both markets.
      return USUAL + fromEnd + spread * (strayed / (0.75 + 0.3 * Math.abs(strayed)))
    })
  })
}
