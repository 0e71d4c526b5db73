import type { RandomSource } from '../../random/random-source.ts'

/** Trade numbers have 50 bits, as the venue's do. */
const BITS = 50n
const MASK = (1n << BITS) - 1n
const ODD = 0x2545f4914f6cdn
/** Room for so many instruments. */
const LANES = 64n

/**
 * Trade numbers that look drawn at random and never repeat: a count, one lane an instrument,
 * sent through a permutation of all numbers of 50 bits.
 */
export function tradeIds(lane: number, random: RandomSource): () => number {
  // The salt is the tape's, not the instrument's: lanes stay apart only under one permutation.
  const salt = BigInt(random.between(0, 2 ** 40))
  let count = 0n
  return () => {
    let value = (count++ * LANES + BigInt(lane) + salt) & MASK
    value = (value * ODD) & MASK
    value ^= value >> 23n
    value = (value * ODD) & MASK
    value ^= value >> 27n
    return Number(value)
  }
}
