import type { RandomSource } from '../../random/random-source.ts'

/** Hash of a transaction: 0x + 64 hex. */
export function randomHash(random: RandomSource): string {
  return `0x${random.hex(64)}`
}

/** Client order id: 0x + 32 hex. */
export function randomClientId(random: RandomSource): string {
  return `0x${hexWord(random)}${hexWord(random)}${hexWord(random)}${hexWord(random)}`
}

/** A number distributed uniformly over orders of magnitude between low and high. */
export function logUniform(random: RandomSource, low: number, high: number): number {
  return low * (high / low) ** random.unit()
}

/** Trade ids of the venue's magnitude. */
export function randomTradeId(random: RandomSource): number {
  return Math.floor(random.unit() * 1e15)
}

/** Eight digits per draw: hashes are made by the ten thousand. */
const hexWord = (random: RandomSource): string =>
  Math.floor(random.unit() * 4294967296)
    .toString(16)
    .padStart(8, '0')

/** A draw of Student's t with four degrees of freedom, scaled to variance one: fat tails. */
export function fatTailed(random: RandomSource): number {
  const spread = -2 * Math.log((1 - random.unit()) * (1 - random.unit()))
  return (random.normal() / Math.sqrt(spread / 4)) * Math.SQRT1_2
}

/** A draw of the exponential distribution. */
export function exponential(random: RandomSource, mean: number): number {
  return -mean * Math.log(1 - random.unit())
}

/** A Poisson draw. */
export function poisson(random: RandomSource, mean: number): number {
  if (mean > COUNT_BY_NORMAL)
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
  const limit = Math.exp(-mean)
  let [count, product] = [0, random.unit()]
  while (product > limit) {
    count++
    product *= random.unit()
  }
  return count
}

/** A draw around `median`, its logarithm normal with deviation `sigma`. */
export function lognormal(random: RandomSource, median: number, sigma: number): number {
  return median * Math.exp(sigma * random.normal())
}

/** A natural number of lots: mostly two or three significant figures. */
export function roundLots(random: RandomSource, lots: number): number {
  const rounded = Math.max(1, Math.round(lots))
  const draw = random.unit()
  if (draw > 0.85) return rounded
  const figures = draw < 0.55 ? 2 : 3
  let step = 1
  while (rounded >= step * 10 ** figures) step *= 10
  return Math.max(1, Math.round(rounded / step) * step)
}

// Random numbers by index instead of in sequence: the same salt and index always give the same
// number, independent of earlier calls. Paths of such numbers can be read at any instant.

/** 32-bit hash of a salt and a whole number. */
export function hashAt(salt: number, at: number): number {
  let hash = Math.imul((at % WORDS) ^ salt, 0x9e3779b1) ^ Math.imul(at / WORDS, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return (hash ^ (hash >>> 15)) >>> 0
}

const WORDS = 2 ** 32

/** A number in (0, 1). */
export const unitAt = (salt: number, at: number): number => (hashAt(salt, at) + 0.5) / WORDS

/** An approximately normal draw of mean 0 and variance 1: the sum of four uniform ones. */
export function normalAt(salt: number, at: number): number {
  const hash = hashAt(salt, at)
  const sum = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24)
  return (sum - 510) / DEVIATION
}

/** Standard deviation of the sum of four bytes. */
const DEVIATION = Math.sqrt((4 * (256 ** 2 - 1)) / 12)

/**
 * A mean-reverting path of mean 0 and variance 1: linear between draws at each multiple of the
 * period. Half of a deviation is gone after about two thirds of a period.
 */
export function pathAt(salt: number, periodMs: number, timeMs: number): number {
  const place = timeMs / periodMs
  const knot = Math.floor(place)
  const part = place - knot
  const here = normalAt(salt, knot)
  if (part === 0) return LINE * here
  return LINE * (here * (1 - part) + normalAt(salt, knot + 1) * part)
}

/** Linear interpolation has two thirds of the variance of its ends. */
const LINE = Math.sqrt(1.5)

/** Number of rare, independent events (Poisson distribution). */
export function countAt(salt: number, at: number, mean: number): number {
  if (mean > COUNT_BY_NORMAL)
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normalAt(salt, at)))
  const least = Math.exp(-mean)
  let [count, left] = [0, unitAt(salt, at)]
  while (left > least) {
    count++
    left *= unitAt(hashAt(salt, at), count)
  }
  return count
}

const COUNT_BY_NORMAL = 30
