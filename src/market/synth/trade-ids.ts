import { randomSource } from '../../random/random-source.ts'

/** Trade numbers have 50 bits, as the venue's do; they are worked with in halves. */
const HALF = 2 ** 25
const SPACE = HALF * HALF
/** An odd number of as many bits. */
const ODD = { high: 0x12a2fa4, low: 0x114f6cd }
/** Room for so many instruments. */
const LANES = 64

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
  const place = (state.count++ * LANES + state.lane + state.salt) % SPACE
  return mixed(multiplied(mixed(multiplied(place), 2 ** 23)), 2 ** 27)
}

/** Times ODD, without what goes beyond the bits. */
function multiplied(value: number): number {
  const high = Math.floor(value / HALF)
  const low = value % HALF
  const middle = (high * ODD.low + low * ODD.high) % HALF
  return (low * ODD.low + middle * HALF) % SPACE
}

/** With its upper bits, divided, on top of its lower ones. */
function mixed(value: number, divisor: number): number {
  const upper = Math.floor(value / divisor)
  const high = Math.floor(value / HALF) ^ Math.floor(upper / HALF)
  return high * HALF + ((value % HALF) ^ (upper % HALF))
}
