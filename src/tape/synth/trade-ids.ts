import { randomSource } from '../../random/random-source.ts'

/** Trade numbers have 50 bits, as the venue's do. */
const BITS = 50n
const MASK = (1n << BITS) - 1n
const ODD = 0x2545f4914f6cdn
/** Room for so many instruments. */
const LANES = 64n

/** The trade numbers of one instrument as plain data. */
export interface TradeIdState {
  lane: number
  salt: number
  /** Numbers given so far. */
  count: number
}

/** Trade numbers of an instrument; lanes stay apart only under the same `key`. */
export function newTradeIds(key: string, lane: number): TradeIdState {
  return { lane, salt: randomSource(key, 'tids').between(0, 2 ** 40), count: 0 }
}

/**
 * The next trade number. They look drawn at random and never repeat: a count, one lane an
 * instrument, sent through a permutation of all numbers of 50 bits.
 */
export function nextTradeId(state: TradeIdState): number {
  let value = (BigInt(state.count++) * LANES + BigInt(state.lane) + BigInt(state.salt)) & MASK
  value = (value * ODD) & MASK
  value ^= value >> 23n
  value = (value * ODD) & MASK
  value ^= value >> 27n
  return Number(value)
}
