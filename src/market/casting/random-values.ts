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
