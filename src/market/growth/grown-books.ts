import { type Px, px as price, raw, sz as size } from '../../decimal/quantity.ts'
import type { PresentBook } from '../casting/market/book-recorder.ts'
import type { MarketState } from '../casting/market/market-state.ts'
import type { RowNumbers } from '../casting/row-numbers.ts'
import type { RowSink } from '../casting/writing/row-sink.ts'
import {
  BookBlock,
  BookBlockReader,
  type BookChange,
  readLevels,
  type StoredLevel,
} from '../schema/book-blocks.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import type { BookLevel, SynthLevels } from '../synth/synth-event.ts'
import type { Database } from '../world/database.ts'

/** One in so many blocks begins with the full book, which takes as much as all its changes. */
const BLOCKS_EACH_FULL = 5

/** Writes the books of the synthesised markets, in blocks of changes. */
export class GrownBooks {
  private readonly books = new Map<MarketState, GrownBook>()

  /** @param streamed instrument.id of those with a separate stream of best prices */
  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
    private readonly streamed: ReadonlySet<number>,
  ) {}

  /** Restores a book from its rows. */
  restore(market: MarketState, levels: Record<'bids' | 'asks', readonly BookLevel[]>): void {
    this.bookOf(market).apply(levels)
  }

  /** Records a full book, or changed levels. */
  record(market: MarketState, event: SynthLevels): void {
    const book = this.bookOf(market)
    const change = event.kind === 'book' ? book.changeTo(event) : event
    book.apply(change)
    const { timeMs } = event
    const isFirst = book.block.isEmpty && book.isFullDue
    book.block.add(isFirst ? book.whole(timeMs) : change)
    if (this.streamed.has(market.row.id)) this.recordBest(market, book, timeMs)
  }

  /** The present book of levels. */
  present(market: MarketState): PresentBook {
    return this.bookOf(market)
  }

  /** The best prices; null for an empty side. */
  best(market: MarketState): { bid: Px | null; ask: Px | null } {
    const book = this.books.get(market)
    const [bid, ask] = [book?.bids.best(), book?.asks.best()]
    return { bid: bid ? price(bid.px) : null, ask: ask ? price(ask.px) : null }
  }

  /** Mid price; null when a side is empty. */
  midPrice(market: MarketState): Px | null {
    const { bid, ask } = this.best(market)
    return bid && ask ? price(Math.round((raw(bid) + raw(ask)) / 2)) : null
  }

  /** Writes the changes since the last call. */
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

class GrownBook implements PresentBook {
  readonly bids = new GrownSide(-1)
  readonly asks = new GrownSide(1)
  /** Changes not written yet. */
  readonly block = new BookBlock()
  private blocksSinceFull = BLOCKS_EACH_FULL
  private best: readonly (BookLevel | undefined)[] | null = null

  /** Whether the block in progress begins with the full book. */
  get isFullDue(): boolean {
    return this.blocksSinceFull >= BLOCKS_EACH_FULL
  }

  at(side: 'B' | 'A', px: number): ReturnType<PresentBook['at']> {
    const level = (side === 'B' ? this.bids : this.asks).at(px)
    return level ? { px: price(px), sz: size(level.lots), n: level.orders } : null
  }

  prices(side: 'B' | 'A'): Iterable<number> {
    return (side === 'B' ? this.bids : this.asks).prices()
  }

  apply({ bids, asks }: Record<'bids' | 'asks', readonly BookLevel[]>): void {
    for (const level of bids) this.bids.put(level)
    for (const level of asks) this.asks.put(level)
  }

  /** Changes from the present book to another. */
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

/** One side of a mutable book. */
class GrownSide {
  private readonly byPx = new Map<number, BookLevel>()
  /** All prices, the worst first: changes occur at the best end, where moving is cheap. */
  private readonly sorted: number[] = []

  /** @param outward -1 where prices fall from the touch outward, 1 where they rise */
  constructor(private readonly outward: -1 | 1) {}

  /** Sets a level; zero lots remove it. */
  put(level: BookLevel): void {
    const { px, lots } = level
    const { byPx, sorted } = this
    const isThere = byPx.has(px)
    if (lots > 0) byPx.set(px, level)
    else byPx.delete(px)
    if (isThere === lots > 0) return
    if (lots > 0) sorted.splice(this.placeOf(px) + 1, 0, px)
    else sorted.splice(this.placeOf(px), 1)
  }

  at(px: number): BookLevel | undefined {
    return this.byPx.get(px)
  }

  prices(): Iterable<number> {
    return this.byPx.keys()
  }

  /** The level at the touch. */
  best(): BookLevel | undefined {
    const px = this.sorted.at(-1)
    return px === undefined ? undefined : this.byPx.get(px)
  }

  /** All levels, from the touch outward. */
  levels(): BookLevel[] {
    return [...this.byPx.values()].sort(this.order)
  }

  /** Changes from the present levels to these, from the touch outward. */
  changesTo(levels: readonly BookLevel[]): BookLevel[] {
    const staying = new Set(levels.map(({ px }) => px))
    const removed = [...this.byPx.keys()].filter((px) => !staying.has(px))
    const others = levels.filter((level) => !isSameLevel(level, this.byPx.get(level.px)))
    return [...others, ...removed.map((px) => ({ px, lots: 0, orders: 0 }))].sort(this.order)
  }

  /** Index of the last price that is this one or worse; -1 for none. */
  private placeOf(px: number): number {
    const { sorted, outward } = this
    let at = sorted.length - 1
    while (at >= 0 && ((sorted[at] as number) - px) * outward < 0) at--
    return at
  }

  private readonly order = (a: BookLevel, b: BookLevel) => (a.px - b.px) * this.outward
}

/** Whether two levels have the same price and size, or both are missing. */
const isSameLevel = (a: BookLevel | undefined, b: BookLevel | undefined) =>
  a?.px === b?.px && a?.lots === b?.lots && a?.orders === b?.orders

type Known = Record<'bids' | 'asks', BookLevel[]>

/** An instrument's book at an instant, each side from the touch outward. */
export function knownBook(db: Database, instrument: InstrumentRow, atMs: number): Known {
  const [bids, asks] = [new Map<number, BookLevel>(), new Map<number, BookLevel>()]
  for (const change of changesUpTo(db, instrument, atMs)) {
    for (const level of change.bids) setLevel(bids, level)
    for (const level of change.asks) setLevel(asks, level)
  }
  return { bids: sorted(bids, -1), asks: sorted(asks, 1) }
}

/** The levels of a row of a tape's book. */
export function rowLevels(levels: string, row: InstrumentRow): Known {
  const [bids, asks] = readLevels(levels, row) as unknown as [StoredLevel[], StoredLevel[]]
  return { bids: bids.map(bookLevel), asks: asks.map(bookLevel) }
}

/** A full book and its changes up to an instant. */
function* changesUpTo(db: Database, row: InstrumentRow, atMs: number): Generator<Known> {
  const blocks = db
    .query<{ changes: Uint8Array }, [{ instrument: number; atMs: number }]>(
      `select changes from bookBlock where instrument = $instrument and fromMs <= $atMs
       and fromMs >= (select max(fromMs) from bookBlock where instrument = $instrument
         and fromMs <= $atMs and full = 1) order by fromMs`,
    )
    .all({ instrument: row.id, atMs })
  if (blocks.length === 0) yield* rowsUpTo(db, row, atMs)
  for (const { changes } of blocks) {
    const reader = new BookBlockReader(changes)
    for (const timeMs of reader.timesMs) {
      if (timeMs > atMs) return
      const [bids, asks] = reader.next()
      yield { bids: bids.map(bookLevel), asks: asks.map(bookLevel) }
    }
  }
}

function* rowsUpTo(db: Database, row: InstrumentRow, atMs: number): Generator<Known> {
  const keyframe = db
    .query<{ id: number; timeMs: number }, [number, number]>(
      `select id, timeMs from book where instrument = ? and keyframe = 1 and timeMs <= ?
       order by timeMs desc, id desc limit 1`,
    )
    .get(row.id, atMs)
  if (!keyframe) return
  const rows = db.query<{ levels: string }, [number, number, number, number]>(
    `select levels from book where instrument = ? and timeMs >= ? and timeMs <= ? and id >= ?
     order by timeMs, id`,
  )
  for (const { levels } of rows.all(row.id, keyframe.timeMs, atMs, keyframe.id))
    yield rowLevels(levels, row)
}

const bookLevel = ([px, lots, orders]: StoredLevel): BookLevel => ({ px, lots, orders })

function setLevel(side: Map<number, BookLevel>, level: BookLevel): void {
  if (level.lots === 0) side.delete(level.px)
  else side.set(level.px, level)
}

function sorted(side: ReadonlyMap<number, BookLevel>, direction: 1 | -1): BookLevel[] {
  return [...side.values()].sort((a, b) => (a.px - b.px) * direction)
}
