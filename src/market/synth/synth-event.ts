import { randomSource } from '../../random/random-source.ts'

/** B: the taker bought, A: the taker sold. */
export type TakerSide = 'B' | 'A'

/** A price level of a book; zero lots remove it. */
export interface BookLevel {
  /** In whole units of 10^-pxDecimals, as all prices of events. */
  px: number
  lots: number
  orders: number
}

interface Happening {
  timeMs: number
  coin: string
}

/** One fill of a maker's order. */
export interface SynthTrade extends Happening {
  kind: 'trade'
  side: TakerSide
  px: number
  lots: number
  tid: number
  /** Mark of its submitted order. */
  tag?: number
  /** Whether it is outside the book: with the vault of the venue. */
  isOutside?: true
}

/** The full book, or its changed levels, each side from the touch outward. */
export interface SynthLevels extends Happening {
  kind: 'book' | 'delta'
  bids: BookLevel[]
  asks: BookLevel[]
}

/** Mark and oracle price. */
export interface SynthMark extends Happening {
  kind: 'mark'
  mark: number
  oracle: number
}

/** The hourly funding rate and its premium, in units of 10^-RATE_DECIMALS. */
export interface SynthFunding extends Happening {
  kind: 'funding'
  rate: number
  premium: number
}

/** Open interest. */
export interface SynthOpenInterest extends Happening {
  kind: 'interest'
  lots: number
}

/** A liquidation; its trades follow at once. */
export interface SynthLiquidation extends Happening {
  kind: 'liquidation'
  /** Side of the liquidated position. */
  position: 'long' | 'short'
  lots: number
  mark: number
  tids: number[]
}

/** An event of a synthesised market: prices and sizes are whole numbers. */
export type SynthEvent =
  | SynthTrade
  | SynthLevels
  | SynthMark
  | SynthFunding
  | SynthOpenInterest
  | SynthLiquidation

/** Decimals of rates. */
export const RATE_DECIMALS = 10

/**
 * A market order or a liquidation from outside, matched in the next step with levels within a few
 * percent of the best price; the rest is not traded.
 */
export interface SubmittedOrder {
  coin: string
  side: TakerSide
  lots: number
  /** Mark of its trades. */
  tag: number
  /** Whether it is a liquidation, which opens few opposite positions. */
  liquidates?: boolean
}

/** Trade numbers have 50 bits, like the venue's; they are computed in halves. */
const HALF = 2 ** 25
const SPACE = HALF * HALF
/** An odd multiplier of 50 bits. */
const ODD = { high: 0x12a2fa4, low: 0x114f6cd }
/** Maximum number of instruments. */
const LANES = 64

/** The trade numbers of one instrument as plain data. */
export interface TradeIdState {
  lane: number
  salt: number
  /** Numbers given so far. */
  count: number
}

/** Trade numbers of an instrument; lanes are disjoint only for the same `key`. */
export function newTradeIds(key: string, lane: number): TradeIdState {
  return { lane, salt: randomSource(key, 'tids').between(0, 2 ** 40), count: 0 }
}

/**
 * The next trade number. They look random and never repeat: a count, one lane an instrument, sent
 * through a permutation of all numbers of 50 bits.
 */
export function nextTradeId(state: TradeIdState): number {
  const place = (state.count++ * LANES + state.lane + state.salt) % SPACE
  return mixed(multiplied(mixed(multiplied(place), 2 ** 23)), 2 ** 27)
}

/** Product with ODD, modulo 2^50. */
function multiplied(value: number): number {
  const high = Math.floor(value / HALF)
  const low = value % HALF
  const middle = (high * ODD.low + low * ODD.high) % HALF
  return (low * ODD.low + middle * HALF) % SPACE
}

/** Combines the lower bits with the divided upper ones. */
function mixed(value: number, divisor: number): number {
  const upper = Math.floor(value / divisor)
  const high = Math.floor(value / HALF) ^ Math.floor(upper / HALF)
  return high * HALF + ((value % HALF) ^ (upper % HALF))
}
