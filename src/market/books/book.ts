/**
 * An order book at one instant. It never changes; the next one shares every level that stayed.
 *
 * Prices are whole numbers at the instrument's pxDecimals, sizes at its szDecimals.
 */

import type { TapeMs } from '../../clock/instant.ts'
import type { BookLevel } from '../../contract/records/book-level.ts'
import { compare, type Px, type Sz, ZERO } from '../../decimal/quantity.ts'

/** One price level; `shown` is its text form once it has been needed. */
export interface PriceLevel {
  readonly px: Px
  readonly sz: Sz
  readonly n: number
  text: BookLevel | null
}

/** Levels in text form, `[bids, asks]`. */
export type LevelTexts = [BookLevel[], BookLevel[]]

/** Bids fall by price, asks rise by price. */
export interface Book {
  readonly timeMs: TapeMs
  readonly bids: readonly PriceLevel[]
  readonly asks: readonly PriceLevel[]
  /** Text forms made so far, by rounding. */
  readonly roundedCache: Map<number, LevelTexts>
}

/** A level as numbers: price, size, number of orders; in a change, size 0 takes it away. */
export type LevelRow = readonly [px: Px, sz: Sz, n: number]

/** Changed levels, of both sides; in the first of a run of books the levels of a whole one. */
export type BookChanges = readonly [bids: readonly LevelRow[], asks: readonly LevelRow[]]

/** The best levels of a book; null for an empty side. */
export interface BestLevels {
  readonly bid: PriceLevel | null
  readonly ask: PriceLevel | null
}

/** A whole book, its levels in any order. */
export function bookOf(timeMs: TapeMs, bids: readonly LevelRow[], asks: readonly LevelRow[]): Book {
  return {
    timeMs,
    bids: bids.map(priceLevel).sort((a, b) => compare(b.px, a.px)),
    asks: asks.map(priceLevel).sort((a, b) => compare(a.px, b.px)),
    roundedCache: new Map(),
  }
}

/** Goes from book to book: changes are cheap, and a book is made only where it is asked for. */
export class BookWalk {
  private readonly bids: WalkedSide
  private readonly asks: WalkedSide

  constructor({ bids, asks }: Pick<Book, 'bids' | 'asks'>) {
    this.bids = new WalkedSide(bids, -1)
    this.asks = new WalkedSide(asks, 1)
  }

  /** Each names a level's new size and count, in any order. */
  apply([bids, asks]: BookChanges): void {
    this.bids.apply(bids)
    this.asks.apply(asks)
  }

  /** As they are until the next change. */
  get sides(): Pick<Book, 'bids' | 'asks'> {
    return { bids: this.bids.levels, asks: this.asks.levels }
  }

  book(timeMs: TapeMs): Book {
    const [bids, asks] = [this.bids.handOut(), this.asks.handOut()]
    return { timeMs, bids, asks, roundedCache: new Map() }
  }
}

/** One side on the way: its levels are copied when they change after a book was given them. */
class WalkedSide {
  private own: PriceLevel[] | null = null

  /** @param order 1 for rising prices, -1 for falling ones */
  constructor(
    public levels: readonly PriceLevel[],
    private readonly order: 1 | -1,
  ) {}

  apply(changes: readonly LevelRow[]): void {
    if (changes.length === 0) return
    this.own ??= roomyCopy(this.levels, changes.length)
    this.levels = this.own
    mergeChanges(this.own, changes, this.order)
  }

  handOut(): readonly PriceLevel[] {
    this.own = null
    return this.levels
  }
}

/** With room for so many more: one that is just full is copied once more when a level comes in. */
function roomyCopy(levels: readonly PriceLevel[], more: number): PriceLevel[] {
  const copy = new Array<PriceLevel>(levels.length + more)
  for (let at = 0; at < levels.length; at++) copy[at] = levels[at] as PriceLevel
  copy.length = levels.length
  return copy
}

export const priceLevel = ([px, sz, n]: LevelRow): PriceLevel => ({ px, sz, n, text: null })

function mergeChanges(side: PriceLevel[], changes: readonly LevelRow[], order: 1 | -1): void {
  for (const change of changes) {
    const [px, sz] = change
    const place = insertionIndex(side, px, order)
    const isPresent = side[place]?.px === px
    if (sz <= ZERO) side.splice(place, isPresent ? 1 : 0)
    else if (isPresent) side[place] = priceLevel(change)
    else side.splice(place, 0, priceLevel(change))
  }
}

/** Where a price is or would be inserted. */
function insertionIndex(side: readonly PriceLevel[], px: Px, order: 1 | -1): number {
  let low = 0
  let high = side.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order * compare((side[middle] as PriceLevel).px, px) < 0) low = middle + 1
    else high = middle
  }
  return low
}
