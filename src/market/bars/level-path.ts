import type { RandomSource } from '../../random/random-source.ts'
import type { MinuteMoves } from './minute-moves.ts'

/** A process that reverts to 0, by its deviation and half-life. */
export interface RevertingPart {
  /** Long-run standard deviation. */
  sd: number
  /** In steps of the path. */
  halfLife: number
}

/** A logarithmic level minute by minute. */
export interface LevelPath {
  /** The level of each minute, oldest first; the last one is one step from the end. */
  level: Float64Array
  /** Variance over all seeds, smaller near the end, where the level is known. */
  variance: Float64Array
}

/**
 * Draws the sum of reverting processes so that it arrives at 0 after the last minute.
 *
 * Such processes are reversible, so the path is drawn backwards from its end.
 */
export function levelPath(
  parts: readonly RevertingPart[],
  minutes: number,
  random: RandomSource,
): LevelPath {
  return pathOf(parts, minutes, random, noScale)
}

/**
 * Draws the same with each part's deviation scaled to its long-run one. Without it, a month of a
 * slow process may deviate half as much as another month.
 */
export function evenLevelPath(
  parts: readonly RevertingPart[],
  minutes: number,
  random: RandomSource,
): LevelPath {
  return pathOf(parts, minutes, random, evenScale)
}

/** Factor of a part, from its own mean square and the expected one. */
type Scale = (square: number, expected: number) => number

const noScale: Scale = () => 1

/** Short paths of slow processes are left to chance. */
const evenScale: Scale = (square, expected) =>
  Math.min(EVEN_MOST, Math.max(1 / EVEN_MOST, Math.sqrt(expected / square)))

const EVEN_MOST = 1.6

function pathOf(
  parts: readonly RevertingPart[],
  minutes: number,
  random: RandomSource,
  scale: Scale,
): LevelPath {
  const path = { level: new Float64Array(minutes), variance: new Float64Array(minutes) }
  for (const part of parts) addPart(path, part, random, scale)
  return path
}

function addPart(
  { level, variance }: LevelPath,
  part: RevertingPart,
  random: RandomSource,
  scale: Scale,
): void {
  const kept = 2 ** (-1 / part.halfLife)
  const step = part.sd * Math.sqrt(1 - kept ** 2)
  const path = random.normals(level.length)
  let [value, known, square, expected] = [0, 1, 0, 0]
  for (let at = level.length - 1; at >= 0; at--) {
    value = value * kept + step * (path[at] as number)
    known *= kept ** 2
    const usual = part.sd ** 2 * (1 - known)
    path[at] = value
    square += value * value
    expected += usual
    variance[at] = (variance[at] as number) + usual
  }
  const factor = scale(square, expected)
  for (let at = 0; at < level.length; at++)
    level[at] = (level[at] as number) + factor * (path[at] as number)
}

/** The logarithm of what is `exponent x level` of each minute, scaled between median and mean. */
export function usualLevel({ level, variance }: LevelPath, exponent: number): Float64Array {
  const scale = exponent ** 2 / 4
  const levels = new Float64Array(level.length)
  for (let at = 0; at < levels.length; at++)
    levels[at] = exponent * (level[at] as number) - scale * (variance[at] as number)
  return levels
}

/** `exp(level)` of each minute, scaled so that the mean of its `power` over all seeds is one. */
export function expectedFactor({ level, variance }: LevelPath, power: number): Float64Array {
  const factors = new Float64Array(level.length)
  for (let at = 0; at < factors.length; at++)
    factors[at] = Math.exp((level[at] as number) - (power * (variance[at] as number)) / 2)
  return factors
}

// Draws premiums of perpetuals over their oracle, hour by hour; funding follows from them.

/** Parameters of an instrument's premium. */
export interface PremiumTraits {
  coin: string
  /** Final premium of the mark over the oracle, as a fraction. */
  endPremium: number
  /** Deviation, as a fraction. */
  spread: number
}

/** Premium that the venue's interest rate alone implies. */
const USUAL = 0.0001
/** Shares of the variance: the whole market's, and hourly and daily ones of the instrument. */
const SHARED: readonly RevertingPart[] = [{ sd: 0.5, halfLife: 30 }]
const OWN: readonly RevertingPart[] = [
  { sd: 0.55, halfLife: 4 },
  { sd: 0.67, halfLife: 40 },
]
/** Half-life of the final premium's influence, in hours. */
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
      const deviated = level + (shared[at] as number)
      // Arbitrage between both markets limits large deviations.
      return USUAL + fromEnd + spread * (deviated / (0.75 + 0.3 * Math.abs(deviated)))
    })
  })
}

/** Draws open interest minute by minute: slow swings, and falls where the price jumps. */
const SWINGS: readonly RevertingPart[] = [
  { sd: 0.006, halfLife: 200 },
  { sd: 0.07, halfLife: 4000 },
]
/** A move of more than so many of its standard deviations closes positions. */
const JUMP = 5
/** Largest part that closes in one minute. */
const FALL_MAX = 0.03
/** Closed positions are opened again within days. */
const REBUILD_HALF_LIFE = 2500

/** Factors on the final open interest, oldest first. */
export function openInterestPath(
  { returns, sigma }: MinuteMoves,
  random: RandomSource,
): Float64Array {
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
