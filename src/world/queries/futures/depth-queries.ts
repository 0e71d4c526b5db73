/** Books of pairs, of the tape's own venue and of the exchanges derived from it (spec, Depth). */
import type { Facts, Moment } from '../../../contract/facts.ts'
import { plainText } from '../../../contract/rebase.ts'
import type { FullDepth, GroupedDepth, LatestDepth } from '../../../contract/records/depth.ts'
import type { Book, PriceLevel } from '../../books/book.ts'
import { priceIntervals } from '../../books/price-intervals.ts'
import { derivedBook } from '../../exchanges/derived-books.ts'
import { type Pair, pairsOf } from '../../exchanges/pairs.ts'
import { type InstrumentRow, pxText, szText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { bookCacheOf } from '../perpdex/books/book-queries.ts'

type Facet = Facts['futuresDepth']

export class FuturesDepthQueries implements Facet {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  latestDepth(dbKey: string, size: number): LatestDepth {
    const pair = this.pair(dbKey)
    const book = pair && this.book(pair)
    const asks = book ? levels(book.asks.slice(0, size), pair.instrument) : []
    const bids = book ? levels(book.bids.slice(0, size), pair.instrument) : []
    return {
      max: size,
      asks,
      bids,
      now: plainText(book?.timeMs ?? this.moment.atMs),
      result: 'success',
      length: asks.length + bids.length,
      ds: 1,
    }
  }

  fullDepth(dbKey: string): FullDepth | null {
    const pair = this.pair(dbKey)
    if (!pair) return null
    const book = this.book(pair)
    return {
      timestamp: book?.timeMs ?? this.moment.atMs,
      action: 'partial',
      bids: levels(book?.bids ?? [], pair.instrument),
      asks: levels(book?.asks ?? [], pair.instrument),
    }
  }

  groupedDepth(dbKey: string, groupSize: number): GroupedDepth | null {
    const pair = this.pair(dbKey)
    if (!pair) return null
    const book = this.book(pair)
    const bins = book ? priceIntervals(book, pair.instrument, groupSize) : { bids: [], asks: [] }
    return { timestamp: book?.timeMs ?? this.moment.atMs, action: 'partial', ...bins, groupSize }
  }

  private pair(dbKey: string): Pair | undefined {
    return pairsOf(this.world).get(dbKey.toLowerCase())
  }

  private book({ instrument, exchange, market }: Pair): Book | null {
    const book = bookCacheOf(this.world).at(instrument, this.moment.atMs)
    return book && exchange ? derivedBook(book, instrument, exchange, market) : book
  }
}

const levels = (side: readonly PriceLevel[], of: InstrumentRow) =>
  side.map(({ px, sz }): [string, string] => [pxText(of, px), szText(of, sz)])
