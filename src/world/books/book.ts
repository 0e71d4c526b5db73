/**
 * An order book at one instant. It never changes; the next one shares every level that stayed.
 *
 * Prices are whole numbers at the instrument's pxDecimals, sizes at its szDecimals.
 */
import type { TapeMs } from '../../clock/instant.ts'
import type { Level } from '../../contract/records/level.ts'
import { compare, type Px, type Sz, ZERO } from '../../decimal/quantity.ts'

/** One price level; `shown` is its text form once somebody has asked for it. */
export interface Rung {
  readonly px: Px
  readonly sz: Sz
  readonly n: number
  shown: Level | null
}

/** Levels in text form, `[bids, asks]`. */
export type Levels = [Level[], Level[]]

/** Bids fall by price, asks rise by price. */
export interface Book {
  readonly timeMs: TapeMs
  readonly bids: readonly Rung[]
  readonly asks: readonly Rung[]
  /** Text forms that somebody has asked for, by rounding. */
  readonly views: Map<number, Levels>
}

/** A level as numbers: price, size, number of orders; in a change, size 0 takes it away. */
export type Row = readonly [px: Px, sz: Sz, n: number]

/** A whole book, its levels in any order. */
export function bookOf(timeMs: TapeMs, bids: readonly Row[], asks: readonly Row[]): Book {
  return {
    timeMs,
    bids: bids.map(rung).sort((a, b) => compare(b.px, a.px)),
    asks: asks.map(rung).sort((a, b) => compare(a.px, b.px)),
    views: new Map(),
  }
}

/** The book after changes: each names a level's new size and count, in any order. */
export function changed(
  book: Book,
  timeMs: TapeMs,
  bids: readonly Row[],
  asks: readonly Row[],
): Book {
  return {
    timeMs,
    bids: merge(book.bids, bids, -1),
    asks: merge(book.asks, asks, 1),
    views: new Map(),
  }
}

export const rung = ([px, sz, n]: Row): Rung => ({ px, sz, n, shown: null })

/** `order` is 1 for rising prices, -1 for falling ones. */
function merge(side: readonly Rung[], changes: readonly Row[], order: 1 | -1): readonly Rung[] {
  if (changes.length === 0) return side
  const rising = (a: Row, b: Row) => order * compare(a[0], b[0])
  const sorted = changes.length === 1 ? changes : changes.toSorted(rising)
  const merged: Rung[] = []
  let at = 0
  for (const change of sorted) {
    const place = placeOf(side, change[0], order, at)
    for (; at < place; at++) merged.push(side[at] as Rung)
    if (side[at]?.px === change[0]) at++
    if (change[1] > ZERO) merged.push(rung(change))
  }
  for (; at < side.length; at++) merged.push(side[at] as Rung)
  return merged
}

/** Where a price stands or would stand, from `low` on. */
function placeOf(side: readonly Rung[], px: Px, order: 1 | -1, from: number): number {
  let low = from
  let high = side.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order * compare((side[middle] as Rung).px, px) < 0) low = middle + 1
    else high = middle
  }
  return low
}
