import { type Px, px as price, raw, sz as size } from '../../decimal/quantity.ts'
import type { MarketState } from '../casting/market/market-state.ts'
import type { RowNumbers } from '../casting/row-numbers.ts'
import type { RowSink } from '../casting/writing/row-sink.ts'
import { BookBlock, type BookChange } from '../schema/book-blocks.ts'
import type { BookLevel, SynthLevels } from '../synth/synth-event.ts'

/** Of so many blocks one begins with the full book, which takes as much as all its changes. */
const BLOCKS_EACH_FULL = 5

/** Writes the books of the synthesised markets, in blocks of what changed. */
export class GrownBooks {
  private readonly books = new Map<MarketState, GrownBook>()

  /** @param streamed instrument.id of those whose best prices are a stream of their own */
  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
    private readonly streamed: ReadonlySet<number>,
  ) {}

  /** Takes in a book as the rows have it. */
  restore(market: MarketState, levels: Record<'bids' | 'asks', readonly BookLevel[]>): void {
    this.bookOf(market).apply(levels)
  }

  /** A full book, or the changed levels of one. */
  record(market: MarketState, event: SynthLevels): void {
    const book = this.bookOf(market)
    const change = event.kind === 'book' ? book.changeTo(event) : event
    book.apply(change)
    const { timeMs } = event
    const isFirst = book.block.isEmpty && book.isFullDue
    book.block.add(isFirst ? book.whole(timeMs) : change)
    if (this.streamed.has(market.row.id)) this.recordBest(market, book, timeMs)
  }

  /** The best prices; null for an empty side. */
  best(market: MarketState): { bid: Px | null; ask: Px | null } {
    const book = this.books.get(market)
    const [bid, ask] = [book?.bids.best(), book?.asks.best()]
    return { bid: bid ? price(bid.px) : null, ask: ask ? price(ask.px) : null }
  }

  /** Middle of the market; null when a side is empty. */
  midPrice(market: MarketState): Px | null {
    const { bid, ask } = this.best(market)
    return bid && ask ? price(Math.round((raw(bid) + raw(ask)) / 2)) : null
  }

  /** Writes what has changed since the last call. */
  write(): void {
    for (const [{ row }, book] of this.books) {
      if (book.block.isEmpty) continue
      const [fromMs, toMs] = book.block.spanMs
      const changes = book.block.pack()
      this.rows.add('bookBlock', {
        instrument: row.id,
        fromMs,
        toMs,
        full: book.isFullDue,
        changes,
      })
      book.written()
    }
  }

  private recordBest({ row }: MarketState, book: GrownBook, timeMs: number): void {
    const [bid, ask] = [book.bids.best(), book.asks.best()]
    if (!book.isBestNew(bid, ask)) return
    this.rows.add('bbo', {
      id: this.numbers.next('bbo'),
      instrument: row.id,
      timeMs,
      bidPx: bid ? price(bid.px) : null,
      bidSz: bid ? size(bid.lots) : null,
      bidN: bid?.orders ?? null,
      askPx: ask ? price(ask.px) : null,
      askSz: ask ? size(ask.lots) : null,
      askN: ask?.orders ?? null,
    })
  }

  private bookOf(market: MarketState): GrownBook {
    const known = this.books.get(market)
    if (known) return known
    const book = new GrownBook()
    this.books.set(market, book)
    return book
  }
}

class GrownBook {
  readonly bids = new GrownSide(-1)
  readonly asks = new GrownSide(1)
  /** What has changed since the last one was written. */
  readonly block = new BookBlock()
  private blocksSinceFull = BLOCKS_EACH_FULL
  private best: readonly (BookLevel | undefined)[] | null = null

  /** Whether the block that is under way begins with the full book. */
  get isFullDue(): boolean {
    return this.blocksSinceFull >= BLOCKS_EACH_FULL
  }

  apply({ bids, asks }: Record<'bids' | 'asks', readonly BookLevel[]>): void {
    for (const level of bids) this.bids.put(level)
    for (const level of asks) this.asks.put(level)
  }

  /** What leads from what stands here to another book. */
  changeTo({ timeMs, bids, asks }: BookChange): BookChange {
    return { timeMs, bids: this.bids.changesTo(bids), asks: this.asks.changesTo(asks) }
  }

  whole(timeMs: number): BookChange {
    return { timeMs, bids: this.bids.levels(), asks: this.asks.levels() }
  }

  written(): void {
    this.blocksSinceFull = this.isFullDue ? 1 : this.blocksSinceFull + 1
  }

  isBestNew(...best: [bid: BookLevel | undefined, ask: BookLevel | undefined]): boolean {
    const before = this.best
    this.best = best
    return !before || best.some((level, at) => !isSameLevel(level, before[at]))
  }
}

/** One side of a book as it stands. */
class GrownSide {
  private readonly byPx = new Map<number, BookLevel>()
  /** Price of the best level; null where it has to be looked for. */
  private bestPx: number | null = null

  /** @param outward -1 where prices fall from the touch outward, 1 where they rise */
  constructor(private readonly outward: -1 | 1) {}

  /** A level as it is from now on; without lots it is gone. */
  put(level: BookLevel): void {
    const { px, lots } = level
    const { bestPx } = this
    if (lots === 0) {
      this.byPx.delete(px)
      if (px === bestPx) this.bestPx = null
      return
    }
    if (bestPx !== null && (px - bestPx) * this.outward < 0) this.bestPx = px
    this.byPx.set(px, level)
  }

  /** The level at the touch. */
  best(): BookLevel | undefined {
    this.bestPx ??= this.search()
    return this.bestPx === null ? undefined : this.byPx.get(this.bestPx)
  }

  /** All levels, from the touch outward. */
  levels(): BookLevel[] {
    return [...this.byPx.values()].sort(this.order)
  }

  /** What leads from here to these levels, from the touch outward. */
  changesTo(levels: readonly BookLevel[]): BookLevel[] {
    const staying = new Set(levels.map(({ px }) => px))
    const gone = [...this.byPx.keys()].filter((px) => !staying.has(px))
    const others = levels.filter((level) => !isSameLevel(level, this.byPx.get(level.px)))
    return [...others, ...gone.map((px) => ({ px, lots: 0, orders: 0 }))].sort(this.order)
  }

  private search(): number | null {
    let best: number | null = null
    for (const px of this.byPx.keys())
      if (best === null || (px - best) * this.outward < 0) best = px
    return best
  }

  private readonly order = (a: BookLevel, b: BookLevel) => (a.px - b.px) * this.outward
}

/** Whether there is as much at the same price; or nothing at all, twice. */
const isSameLevel = (a: BookLevel | undefined, b: BookLevel | undefined) =>
  a?.px === b?.px && a?.lots === b?.lots && a?.orders === b?.orders
