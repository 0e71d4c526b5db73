import { randomSource } from '../../random/random-source.ts'

/** Trade numbers have 50 bits, as the venue's do. */
const BITS = 50n
const MASK = (1n << BITS) - 1n
const SPACE = 2 ** Number(BITS)
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
 * Where trade numbers can begin that were never given before: in the middle of nowhere, as far from
 * those of `taken` as can be. There is room for 64 instruments.
 */
export function tradeIdBase(taken: Iterable<number>): number {
  const places = [...taken].filter((tid) => tid < SPACE).map(placeOf)
  const sorted = Float64Array.from(places).sort()
  let [base, widest, before] = [0, 0, 0]
  for (const place of [...sorted, SPACE]) {
    if (place - before > widest) [base, widest] = [before, place - before]
    before = place + 1
  }
  return base
}

/** The place in the count that a trade number stands for. */
function placeOf(tid: number): number {
  let value = BigInt(tid)
  value ^= value >> 27n
  value = (value * INVERSE) & MASK
  value ^= (value >> 23n) ^ (value >> 46n)
  return Number((value * INVERSE) & MASK)
}

/** Of ODD, modulo 2^BITS. */
const INVERSE = inverseOf(ODD)

/** By Newton's iteration, which doubles the bits that are right. */
function inverseOf(odd: bigint): bigint {
  let inverse = odd
  for (let step = 0; step < 6; step++) inverse = (inverse * (2n - odd * inverse)) & MASK
  return inverse & MASK
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
