/**
 * Random numbers by place instead of by turn: the same salt and place always give the same number,
 * whatever was asked before. Paths out of them can be read at any instant without those before it.
 */

/** 32 bits that follow from a salt and a whole number. */
export function hashAt(salt: number, at: number): number {
  let hash = Math.imul((at % WORDS) ^ salt, 0x9e3779b1) ^ Math.imul(at / WORDS, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return (hash ^ (hash >>> 15)) >>> 0
}

const WORDS = 2 ** 32

/** A number in (0, 1). */
export const unitAt = (salt: number, at: number): number => (hashAt(salt, at) + 0.5) / WORDS

/** A draw that is nearly normal, of mean 0 and variance 1: the sum of four even ones. */
export function normalAt(salt: number, at: number): number {
  const hash = hashAt(salt, at)
  const sum = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24)
  return (sum - 510) / DEVIATION
}

/** Of the sum of four bytes. */
const DEVIATION = Math.sqrt((4 * (256 ** 2 - 1)) / 12)

/**
 * A path of mean 0 and variance 1 that strays and comes back: straight lines between draws at each
 * multiple of the period. Half of what it strayed is gone after about two thirds of a period.
 */
export function pathAt(salt: number, periodMs: number, timeMs: number): number {
  const place = timeMs / periodMs
  const knot = Math.floor(place)
  const part = place - knot
  const here = normalAt(salt, knot)
  if (part === 0) return LINE * here
  return LINE * (here * (1 - part) + normalAt(salt, knot + 1) * part)
}

/** Between its ends a line varies less than at them: by two thirds on the whole. */
const LINE = Math.sqrt(1.5)

/** How many of rare, independent events there are (Poisson's law). */
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
