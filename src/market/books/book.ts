/**
 * An immutable order book at one instant; the next one shares every unchanged level.
 *
 * Prices are whole numbers at the instrument's pxDecimals, sizes at its szDecimals.
 */

import type { TapeMs } from '../../clock/instant.ts'
import type { BookLevel } from '../../contract/records/book.ts'
import { add, compare, type Px, pow10, px, raw, type Sz, ZERO } from '../../decimal/quantity.ts'
import { type InstrumentRow, pxText, szText } from '../schema/schema.ts'

/** One price level; `shown` caches its text form. */
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

/** A level as numbers: price, size, number of orders; in a change, size 0 removes it. */
export type LevelRow = readonly [px: Px, sz: Sz, n: number]

/** Changed levels of both sides; in the first of a run of books, all levels. */
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

/** Applies changes from book to book cheaply; a book is made only on request. */
export class BookWalk {
  private readonly bids: WalkedSide
  private readonly asks: WalkedSide

  constructor({ bids, asks }: Pick<Book, 'bids' | 'asks'>) {
    this.bids = new WalkedSide(bids, -1)
    this.asks = new WalkedSide(asks, 1)
  }

  /** Applies new sizes and counts of levels, in any order. */
  apply([bids, asks]: BookChanges): void {
    this.bids.apply(bids)
    this.asks.apply(asks)
  }

  /** Both sides, valid until the next change. */
  get sides(): Pick<Book, 'bids' | 'asks'> {
    return { bids: this.bids.levels, asks: this.asks.levels }
  }

  book(timeMs: TapeMs): Book {
    const [bids, asks] = [this.bids.handOut(), this.asks.handOut()]
    return { timeMs, bids, asks, roundedCache: new Map() }
  }
}

/** One mutable side: its levels are copied on the first change after a book was taken. */
class WalkedSide {
  private own: PriceLevel[] | null = null

  /** @param order 1 for rising prices, -1 for falling ones */
  constructor(
    public levels: readonly PriceLevel[],
    private readonly order: 1 | -1,
  ) {}

  apply(changes: readonly LevelRow[]): void {
    if (changes.length === 0) return
    this.own ??= copyWithCapacity(this.levels, changes.length)
    this.levels = this.own
    mergeChanges(this.own, changes, this.order)
  }

  handOut(): readonly PriceLevel[] {
    this.own = null
    return this.levels
  }
}

/** A copy with spare capacity: a full array would be copied again on the next insertion. */
function copyWithCapacity(levels: readonly PriceLevel[], more: number): PriceLevel[] {
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

/** Index at which a price is or would be inserted. */
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

/** Books in the venue's form: 20 levels a side, rounded to significant figures on request. */
type Decimals = Pick<InstrumentRow, 'pxDecimals' | 'szDecimals'>

/** Rounding of prices: 2 to 5 figures, with 5 also in steps of 2 or 5 of the last. */
export interface Rounding {
  figures: number
  /** 1, 2 or 5. */
  mantissa: number
}

/**
 * At most 20 levels a side of the whole book, as text. Bids are rounded down and asks up, so no
 * level looks better than it is; sizes and order counts are summed.
 */
export function roundedLevels(
  book: Book,
  decimals: Decimals,
  rounding: Rounding | null,
): LevelTexts {
  const key = rounding === null ? 0 : rounding.figures * 10 + rounding.mantissa
  const known = book.roundedCache.get(key)
  if (known) return known
  const { bids, asks } = rounding === null ? book : roundedBook(book, rounding, SHOWN_LEVELS)
  const texts = (side: readonly PriceLevel[]) =>
    side.slice(0, SHOWN_LEVELS).map((one) => levelText(one, decimals))
  const levels: LevelTexts = [texts(bids), texts(asks)]
  book.roundedCache.set(key, levels)
  return levels
}

/** Levels that the venue shows on a side. */
export const SHOWN_LEVELS = 20

/** The book with rounded prices; at most `most` levels a side. */
export function roundedBook(book: Book, rounding: Rounding, most = Number.POSITIVE_INFINITY) {
  return {
    bids: mergeLevels(book.bids, most, rounding, 'down'),
    asks: mergeLevels(book.asks, most, rounding, 'up'),
  }
}

/** Digits of the largest exact whole number. */
const DIGITS_MAX = 16

/** Step of the last figure kept, in price units. */
export function figureStep(price: Px, { figures, mantissa }: Rounding): number {
  let digits = 1
  while (digits < DIGITS_MAX && raw(price) >= pow10(digits)) digits++
  const surplus = digits - figures
  return surplus < 0 ? 1 : mantissa * pow10(surplus)
}

/** Text form of a level, made once for all books that share it. */
export function levelText(one: PriceLevel, decimals: Decimals): BookLevel {
  one.text ??= { px: pxText(decimals, one.px, 1), sz: szText(decimals, one.sz, 1), n: one.n }
  return one.text
}

/**
 * Merges neighbours with the same rounded price. Prices are rounded outward, away from the other
 * side, so one that is not beyond a rounded price belongs to it.
 */
function mergeLevels(
  side: readonly PriceLevel[],
  most: number,
  rounding: Rounding,
  way: 'up' | 'down',
): PriceLevel[] {
  const levels: PriceLevel[] = []
  for (let at = 0; at < side.length && levels.length < most; ) {
    const first = side[at] as PriceLevel
    const step = figureStep(first.px, rounding)
    const steps = raw(first.px) / step
    const price = px((way === 'down' ? Math.floor(steps) : Math.ceil(steps)) * step)
    let size = ZERO as Sz
    let n = 0
    for (; at < side.length; at++) {
      const one = side[at] as PriceLevel
      if (way === 'down' ? one.px < price : one.px > price) break
      size = add(size, one.sz)
      n += one.n
    }
    if (size > ZERO) levels.push(priceLevel([price, size, n]))
  }
  return levels
}
