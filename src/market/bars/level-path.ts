import type { RandomSource } from '../../random/random-source.ts'

/** A process that returns to 0, by how far it strays and how fast it comes back. */
export interface RevertingPart {
  /** Its standard deviation in the long run. */
  sd: number
  /** In steps of the path. */
  halfLife: number
}

/** A logarithmic level minute by minute. */
export interface LevelPath {
  /** The level of each minute, oldest first; the last one is one step from the end. */
  level: Float64Array
  /** Its variance over all seeds, which is smaller near the end, where the level is known. */
  variance: Float64Array
}

/**
 * The sum of reverting processes over so many minutes that arrives at 0 after the last one.
 *
 * Such processes look the same in both directions, so the path is drawn from its end backwards.
 */
export function levelPath(
  parts: readonly RevertingPart[],
  minutes: number,
  random: RandomSource,
): LevelPath {
  return pathOf(parts, minutes, random, noScale)
}

/**
 * The same, of which each part strays about as far as it does in the long run: left to chance, a
 * month of a slow process strays half as far as another, and what follows from it with it.
 */
export function evenLevelPath(
  parts: readonly RevertingPart[],
  minutes: number,
  random: RandomSource,
): LevelPath {
  return pathOf(parts, minutes, random, evenScale)
}

/** What a part is multiplied by, from its own mean square and that which is expected. */
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
