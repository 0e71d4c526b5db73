import { wholeNumber } from '../decimal-text.ts'
import type { LeftOut } from './bad-rows.ts'

/** Reason under which a repeated trade is counted. */
export const REPEATED = 'trade that was there already (same tid)'

const NO_NUMBER = 'id of a trade that is no whole number below 2^53: the trade has none'

/** The number of a trade id; undefined for a non-numeric one, which is counted. */
export function tradeNumber(id: string, leftOut: LeftOut): number | undefined {
  if (id === '') return undefined
  const tid = wholeNumber(id)
  if (tid >= 0) return tid
  leftOut.count(NO_NUMBER)
  return undefined
}

/** Number of trades in one generation. */
const GENERATION = 250_000

/**
 * Trades of a coin already in the tape, by tid.
 *
 * Keeps at least the last 250,000 and at most twice that, so that memory stays bounded; a venue
 * repeats only its last few.
 */
export class SeenTradeIds {
  private young = new NumberSet()
  private old = new NumberSet()
  /** Marked ones whose records were refused afterwards: as many as are tolerated. */
  private readonly refused = new Set<number>()

  constructor(private readonly mark: (tid: number, ids: SeenTradeIds) => void) {}

  /** Whether the trade was seen before; marks it as seen. */
  hasSeen(tid: number): boolean {
    if (this.refused.size > 0 && this.refused.delete(tid)) return this.marked(tid)
    if (this.old.size > 0 && this.old.has(tid)) return true
    if (!this.young.add(tid)) return true
    if (this.young.size === GENERATION) {
      this.old = this.young
      this.young = new NumberSet()
    }
    return this.marked(tid)
  }

  /** Takes the mark back: the trade is not in the tape. */
  release(tid: number): void {
    this.refused.add(tid)
  }

  private marked(tid: number): false {
    this.mark(tid, this)
    return false
  }
}

/** A trade that was marked as seen. */
export interface TradeMark {
  tid: number
  ids: SeenTradeIds
}

const NO_MARKS: readonly TradeMark[] = []

/** The same for all coins. */
export class SeenTrades {
  private readonly coins = new Map<string, SeenTradeIds>()
  private ofRecord: TradeMark[] = []

  of(coin: string): SeenTradeIds {
    const known =
      this.coins.get(coin) ?? new SeenTradeIds((tid, ids) => this.ofRecord.push({ tid, ids }))
    this.coins.set(coin, known)
    return known
  }

  /** The marks since the last call: those of one record. */
  takeMarks(): readonly TradeMark[] {
    if (this.ofRecord.length === 0) return NO_MARKS
    const marks = this.ofRecord
    this.ofRecord = []
    return marks
  }
}

/** Hash multiplier that spreads runs of numbers, the golden ratio of 32 bits. */
const SPREAD = 0x9e3779b1
const PLACES_MIN = 1024
/** Runs of so many numbers get adjacent slots. */
const RUN_BITS = 6
/** A smaller set grows fourfold, a larger one twofold. */
const LARGE = 100_000

/**
 * A set of whole numbers of 0 or more, several times as fast as a `Set` of large ones, above all
 * for nearly ascending ones: near numbers are adjacent in memory.
 */
export class NumberSet {
  size = 0
  private places = new Float64Array(PLACES_MIN).fill(-1)

  /** Adds a number; false when it was there. */
  add(value: number): boolean {
    const at = this.place(value)
    if (this.places[at] === value) return false
    this.places[at] = value
    if (++this.size * 2 > this.places.length) this.grow()
    return true
  }

  has(value: number): boolean {
    return this.places[this.place(value)] === value
  }

  /** Slot of a number, present or not. */
  private place(value: number): number {
    const { places } = this
    const last = places.length - 1
    const low = value >>> 0
    const run = (low >>> RUN_BITS) ^ ((value - low) / 0x100000000)
    const start = Math.imul(run, SPREAD) >>> (Math.clz32(last) + RUN_BITS)
    let at = (start << RUN_BITS) | (low & ((1 << RUN_BITS) - 1))
    while (places[at] !== value && places[at] !== -1) at = (at + 1) & last
    return at
  }

  private grow(): void {
    const values = this.places
    this.places = new Float64Array(values.length * (values.length < LARGE ? 4 : 2)).fill(-1)
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? -1
      if (value !== -1) this.places[this.place(value)] = value
    }
  }
}
