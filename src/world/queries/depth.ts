/** Books of pairs, of the tape's own venue and of the exchanges derived from it (spec, Depth). */
import type { Facts, Moment } from '../../contract/facts.ts'
import { plainText } from '../../contract/rebase.ts'
import type { FullDepth, GroupedDepth, LatestDepth } from '../../contract/records/depth.ts'
import type { Book, Rung } from '../books/book.ts'
import { derived } from '../books/exchange.ts'
import { binned } from '../books/grid.ts'
import { type InstrumentRow, pxText, szText } from '../schema.ts'
import type { World } from '../world.ts'
import { shelfOf } from './books.ts'
import { type Pair, pairsOf } from './pairs.ts'

type Asked = Facts['depth']

export class Depth implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  latest(dbKey: string, size: number): LatestDepth {
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

  full(dbKey: string): FullDepth | null {
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

  grouped(dbKey: string, groupSize: number): GroupedDepth | null {
    const pair = this.pair(dbKey)
    if (!pair) return null
    const book = this.book(pair)
    const bins = book ? binned(book, pair.instrument, groupSize) : { bids: [], asks: [] }
    return { timestamp: book?.timeMs ?? this.moment.atMs, action: 'partial', ...bins, groupSize }
  }

  private pair(dbKey: string): Pair | undefined {
    return pairsOf(this.world).get(dbKey.toLowerCase())
  }

  private book({ instrument, exchange, market }: Pair): Book | null {
    const book = shelfOf(this.world).at(instrument, this.moment.atMs)
    return book && exchange ? derived(book, instrument, exchange, market) : book
  }
}

const levels = (side: readonly Rung[], of: InstrumentRow) =>
  side.map(({ px, sz }): [string, string] => [pxText(of, px), szText(of, sz)])
