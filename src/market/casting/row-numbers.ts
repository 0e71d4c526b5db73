/**
 * Rows with their own numbers; fills and ledger rows share `movement`, and `tid` counts the trades
 * without a tape.
 */
export type Numbered =
  | 'account'
  | 'trade'
  | 'tid'
  | 'movement'
  | 'position'
  | 'twap'
  | 'liquidation'
  | 'mark'
  | 'book'
  | 'bbo'
  | 'interest'

/** Last number of each kind, as plain data. */
export type LastNumbers = Record<Numbered, number>

/** Consecutive numbers of rows. */
export class RowNumbers {
  constructor(readonly last: LastNumbers = noNumbers()) {}

  next(name: Numbered): number {
    return ++this.last[name]
  }
}

function noNumbers(): LastNumbers {
  return {
    account: 0,
    trade: 0,
    tid: 0,
    movement: 0,
    position: 0,
    twap: 0,
    liquidation: 0,
    mark: 0,
    book: 0,
    bbo: 0,
    interest: 0,
  }
}

/**
 * The venue's number of a grown trade: a count, sent through a permutation of 50 bits. Those of
 * tapes and of the past are below 2^51, where these begin, so no number repeats.
 */
export function tradeNumber(count: number): number {
  let left = Math.floor(count / HALF) & MASK
  let right = count & MASK
  for (const key of KEYS) {
    const mixed = left ^ (mix(right ^ key) & MASK)
    left = right
    right = mixed
  }
  return FIRST + left * HALF + right
}

const HALF = 2 ** 25
const MASK = HALF - 1
const FIRST = 2 ** 51
const KEYS = [0x1f3d5b79, 0x2545f491, 0x5bd1e995, 0x27d4eb2f]

function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39)
  return bits ^ (bits >>> 15)
}
