import type { RandomSource } from '../../random/random-source.ts'
import {
  expected,
  INTEREST_SWINGS,
  interestByTrend,
  type Level,
  OWN_PREMIUM,
  PREMIUM_HALF_LIFE,
  PriceTrends,
  premiumOf,
  type RevertingPart,
  SHARED_PREMIUM,
  USUAL_PREMIUM,
  usual,
} from './market-regimes.ts'

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

/** `usual` of each minute. */
export const usualLevel = (path: LevelPath, exponent: number): Float64Array =>
  ofEach(path, (level) => usual(level, exponent))

/** `expected` of each minute. */
export const expectedFactor = (path: LevelPath, power: number): Float64Array =>
  ofEach(path, (level) => expected(level, power))

/** A value of each minute's level; the argument is one object, which is used again. */
function ofEach({ level, variance }: LevelPath, of: (level: Level) => number): Float64Array {
  const one = { level: 0, variance: 0 }
  return level.map((value, at) => {
    one.level = value
    one.variance = variance[at] as number
    return of(one)
  })
}

/** Parameters of an instrument's premium. */
export interface PremiumTraits {
  coin: string
  /** Final premium of the mark over the oracle, as a fraction. */
  endPremium: number
  /** Deviation, as a fraction. */
  spread: number
  /** Trend of its price at each hour, in deviations. */
  trends: Float64Array
  /** Imbalance of its crowd at each hour, parts of the open interest. */
  imbalances: Float64Array
}

const HOUR_MINUTES = 60
const hourly = (parts: readonly RevertingPart[]) =>
  parts.map(({ sd, halfLife }) => ({ sd, halfLife: halfLife / HOUR_MINUTES }))

/** Premiums of each hour in order of `traits`, oldest first, the last an hour before the end. */
export function premiumPaths(
  traits: readonly PremiumTraits[],
  hours: number,
  random: RandomSource,
): Float64Array[] {
  const shared = evenLevelPath(hourly(SHARED_PREMIUM), hours, random.fork('shared')).level
  return traits.map(({ coin, endPremium, spread, trends, imbalances }) => {
    const own = evenLevelPath(hourly(OWN_PREMIUM), hours, random.fork(coin)).level
    return own.map((level, at) => {
      const left = 2 ** (((at - hours) * HOUR_MINUTES) / PREMIUM_HALF_LIFE)
      const trend = (1 - left) * (trends[at] as number)
      const deviation = level + (shared[at] as number)
      const fromUsual = left * (endPremium - USUAL_PREMIUM)
      const imbalance = (1 - left) * (imbalances[at] as number)
      return USUAL_PREMIUM + fromUsual + premiumOf(spread, deviation, trend, imbalance)
    })
  })
}

/**
 * Factors on the final open interest, oldest first: slow swings, and growth in trends; apart from
 * what moves close.
 *
 * @param minuteSigma usual deviation of a minute's return
 */
export function openInterestPath(
  returns: Float64Array,
  minuteSigma: number,
  random: RandomSource,
): Float64Array {
  const factors = levelPath(INTEREST_SWINGS, returns.length, random).level
  const trends = trendsOf(returns, minuteSigma)
  const endTrend = interestByTrend(trends.at(-1) ?? 0)
  return factors.map((level, at) =>
    Math.exp(level + interestByTrend(trends[at] as number) - endTrend),
  )
}

/** Trend of the price that positions follow after each minute, in deviations. */
export function trendsOf(returns: Float64Array, minuteSigma: number): Float64Array {
  const trends = new PriceTrends(minuteSigma)
  let log = 0
  trends.add(log)
  return returns.map((move) => {
    log += move
    trends.add(log)
    return trends.of('positions')
  })
}
