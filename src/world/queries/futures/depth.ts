/** Books of pairs, of the tape's own venue and of the exchanges derived from it. */
import { later, type TapeMs } from '../../../clock/instant.ts'
import { plainText } from '../../../contract/rebase.ts'
import type { FullDepth, GroupedDepth, LatestDepth } from '../../../contract/records/depth.ts'
import type { Book, PriceLevel } from '../../books/book.ts'
import { bookCacheOf } from '../../books/book-cache.ts'
import { priceIntervals } from '../../books/price-intervals.ts'
import { derivedBook } from '../../exchanges/derived-books.ts'
import { motionsOf, saltsOf } from '../../exchanges/exchanges.ts'
import { type Pair, pairsOf } from '../../exchanges/pairs.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { type InstrumentRow, pxText, szText } from '../../schema.ts'
import type { World } from '../../world.ts'

/** The best levels of a pair's book, `size` a side; empty for a pair that is not known. */
export function latestDepthOf(
  world: World,
  atMs: TapeMs,
  dbKey: string,
  size: number,
): LatestDepth {
  const pair = pairOf(world, dbKey)
  const book = pair && pairBook(world, atMs, pair)
  const asks = book ? levels(book.asks.slice(0, size), pair.instrument) : []
  const bids = book ? levels(book.bids.slice(0, size), pair.instrument) : []
  return {
    max: size,
    asks,
    bids,
    now: plainText(book?.timeMs ?? atMs),
    result: 'success',
    length: asks.length + bids.length,
    ds: 1,
  }
}

/** All levels of a pair's book; null for a pair that is not known. */
export function fullDepthOf(world: World, atMs: TapeMs, dbKey: string): FullDepth | null {
  const pair = pairOf(world, dbKey)
  if (!pair) return null
  const book = pairBook(world, atMs, pair)
  return {
    timestamp: book?.timeMs ?? atMs,
    action: 'partial',
    bids: levels(book?.bids ?? [], pair.instrument),
    asks: levels(book?.asks ?? [], pair.instrument),
  }
}

/** A pair's book in intervals of `groupSize` dollars; null for a pair that is not known. */
export function groupedDepthOf(
  world: World,
  atMs: TapeMs,
  dbKey: string,
  groupSize: number,
): GroupedDepth | null {
  const pair = pairOf(world, dbKey)
  if (!pair) return null
  const book = pairBook(world, atMs, pair)
  const sides = book ? priceIntervals(book, pair.instrument, groupSize) : { bids: [], asks: [] }
  return { timestamp: book?.timeMs ?? atMs, action: 'partial', ...sides, groupSize }
}

const pairOf = (world: World, dbKey: string) => pairsOf(world).get(dbKey.toLowerCase())

function pairBook(world: World, atMs: TapeMs, pair: Pair): Book | null {
  const { instrument, exchange, market } = pair
  const book = bookCacheOf(world).at(instrument, atMs)
  if (book === null || exchange === null) return book
  const endMs = later(atMs, 1)
  return derivedBook(book, instrument, {
    exchange,
    basis: motionsOf(world)(exchange, instrument, market).basisAt(endMs),
    ownPx: tradeHoursOf(world).pxBefore(instrument.id, endMs),
    salt: saltsOf(world)(`book of ${instrument.coin} on ${exchange.key}/${market}`),
    timeMs: atMs,
  })
}

const levels = (side: readonly PriceLevel[], of: InstrumentRow) =>
  side.map(({ px, sz }): [string, string] => [pxText(of, px), szText(of, sz)])
