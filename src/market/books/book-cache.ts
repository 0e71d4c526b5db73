/**
 * Caches the books of a world, rebuilt from keyframes and changes and shared by all sandboxes on
 * it.
 *
 * A keyframe and the changes up to the next make one segment, and so does a block of a grown book.
 * The changes of a segment are read at once, books are made when needed; segments unused for long
 * are evicted.
 */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { compare, type Px, type Sz } from '../../decimal/quantity.ts'
import { columns, type RowOf } from '../rows/columns.ts'
import { lastUpTo } from '../rows/step-series.ts'
import {
  type BlockPlace,
  BookBlockReader,
  bbo,
  book,
  bookBlock,
  type InstrumentRow,
  readLevels,
} from '../schema/schema.ts'
import { Cache, perMarket } from '../world/cache.ts'
import { BOOKS_OF_LONG_TAPES, isLongTape, type KeptBooks } from '../world/tape-length.ts'
import type { World } from '../world/world.ts'
import {
  type BestLevels,
  type Book,
  type BookChanges,
  type LevelRow,
  type PriceLevel,
  priceLevel,
} from './book.ts'
import { BookRun } from './book-run.ts'

// Best bid and offer: a tape may have a stream of quotes besides its books. Each has times of its
// own, so whichever is newer has the best prices, and in one millisecond the quote: exchanges send
// their quotes at each change and their books some times a second.

/** A row of the stream of quotes, of an instrument known to the reader. */
const QUOTES = columns({
  timeMs: bbo.timeMs,
  bidPx: bbo.bidPx,
  bidSz: bbo.bidSz,
  bidN: bbo.bidN,
  askPx: bbo.askPx,
  askSz: bbo.askSz,
  askN: bbo.askN,
})
type QuoteRow = RowOf<typeof QUOTES>

/** A quote of the tape. */
export interface Quote extends BestLevels {
  readonly instrument: number
  readonly timeMs: TapeMs
}

const quoteOf = (instrument: number, row: QuoteRow): Quote => ({
  instrument,
  timeMs: row.timeMs,
  bid: quotedLevel(row.bidPx, row.bidSz, row.bidN),
  ask: quotedLevel(row.askPx, row.askSz, row.askN),
})

const quotedLevel = (px: Px | null, sz: Sz | null, n: number | null): PriceLevel | null =>
  px === null || sz === null ? null : priceLevel([px, sz, n ?? 1])

/** Reads the newest quote of an instrument with time <= atMs; null before the first. */
const newestQuote = perMarket((world) => {
  const { db, instruments } = world
  const after = 'from bbo where instrument = ?'
  const any = columns({ id: bbo.id }).prepare<[instrument: number]>(db, `${after} limit 1`)
  const newest = QUOTES.prepare<[instrument: number, atMs: TapeMs]>(
    db,
    `${after} and timeMs <= ? order by timeMs desc, id desc limit 1`,
  )
  const quoted = new Set(instruments.filter(({ id }) => any.get(id) !== null).map(({ id }) => id))
  return (instrument: number, atMs: TapeMs): Quote | null => {
    const row = quoted.has(instrument) ? newest.get(instrument, atMs) : null
    return row && quoteOf(instrument, row)
  }
})

/** All quotes with fromMs <= time < toMs, in order. */
export const quotesBetween = (world: World, fromMs: TapeMs, toMs: TapeMs): Quote[] =>
  quoteRowsBetween(world)
    .all(fromMs, toMs)
    .map(({ instrument, ...row }) => quoteOf(instrument, row))

const quoteRowsBetween = perMarket(({ db }) =>
  columns({ instrument: bbo.instrument, ...QUOTES.names }).prepare<[fromMs: TapeMs, toMs: TapeMs]>(
    db,
    'from bbo where timeMs >= ? and timeMs < ? order by timeMs, id',
  ),
)

/** A book whose best levels are those of a quote that is not older. */
function quotedBook(book: Book | null, quote: Quote | null): Book | null {
  if (quote === null || (book !== null && quote.timeMs < book.timeMs)) return book
  const { timeMs, bid, ask } = quote
  const bids = quotedSide(book?.bids ?? [], bid, 1)
  const asks = quotedSide(book?.asks ?? [], ask, -1)
  const isSame = bids === book?.bids && asks === book.asks
  return { timeMs, bids, asks, roundedCache: isSame ? book.roundedCache : new Map() }
}

/** @param order 1 where a higher price is better, -1 where a lower one is */
function quotedSide(
  side: readonly PriceLevel[],
  best: PriceLevel | null,
  order: 1 | -1,
): readonly PriceLevel[] {
  if (best === null) return []
  const [first] = side
  if (first?.px === best.px && first.sz === best.sz && first.n === best.n) return side
  const behind = side.findIndex(({ px }) => order * compare(px, best.px) < 0)
  return [best, ...(behind < 0 ? [] : side.slice(behind))]
}

/** The newest book's best prices as whole numbers; null for an empty side or without a book. */
export function bestPrices(world: World, instrument: InstrumentRow, atMs: TapeMs) {
  const best = bookCacheOf(world).bestAt(instrument, atMs)
  return { bid: best?.bid?.px ?? null, ask: best?.ask?.px ?? null }
}

// Books as stored in the tables: the times of a span of books, and the changes of each.

/** A span of books of which only the times are read at first. */
export interface StoredBooks {
  /** Ascending. */
  readonly timesMs: readonly TapeMs[]
  /** Approximate levels of one book. */
  readonly levels: number
  /** Changes of one book; for a full first book, all levels. */
  changes(at: number): BookChanges
}

/** Rows of a tape: a full book and changes, as texts. */
function booksOfRows(
  rows: readonly { timeMs: TapeMs; levels: string }[],
  instrument: InstrumentRow,
): StoredBooks {
  const texts = rows.map(({ levels }) => levels)
  return {
    timesMs: rows.map(({ timeMs }) => timeMs),
    // A stored level takes about 20 characters.
    levels: (texts[0]?.length ?? 0) / 20,
    changes: (at) => readLevels(texts[at] as string, instrument),
  }
}

/** A block of a grown book, which begins with a full book or continues from the block before. */
export function booksOfBlock(block: Uint8Array, isFull: boolean): StoredBooks {
  const reader = new BookBlockReader(block)
  const changes = new BlockChanges(reader)
  return {
    timesMs: reader.timesMs.map(tapeMs),
    // A level takes some five bytes, and half of a block that begins with a full book is that.
    levels: block.length / (isFull ? 10 : 5),
    changes: (at) => changes.at(at),
  }
}

/**
 * Changes of a block in any order, though each depends on the one before. Keeps offsets of some of
 * them: the parsed changes would be many long-lived objects.
 */
class BlockChanges {
  private readonly places: BlockPlace[]
  private next = 0

  constructor(private readonly reader: BookBlockReader) {
    this.places = [reader.place]
  }

  at(at: number): BookChanges {
    if (at < this.next || at > this.next + PLACE_EVERY) this.goNear(at)
    while (this.next < at) this.read()
    return this.read()
  }

  private goNear(at: number): void {
    const nearest = Math.min(this.places.length - 1, Math.floor(at / PLACE_EVERY))
    this.reader.goTo(this.places[nearest] as BlockPlace)
    this.next = nearest * PLACE_EVERY
  }

  private read(): BookChanges {
    const changes = this.reader.next() as unknown as [LevelRow[], LevelRow[]]
    this.next++
    if (this.next === this.places.length * PLACE_EVERY) this.places.push(this.reader.place)
    return changes
  }
}

/** The offset of every sixteenth change is kept. */
const PLACE_EVERY = 16

const STORED = columns({ timeMs: book.timeMs, levels: book.levels })
type Of = [instrument: number, ms: number]
type Between = [instrument: number, fromMs: number, toMs: number, fromId: number, toId: number]

/** Reads where an instrument's full books are, and the changes between them. */
function bookReaders({ db }: World) {
  const after = 'where instrument = ?'
  return {
    keyframes: columns({ timeMs: book.timeMs, id: book.id }).prepare<Of>(
      db,
      `from book ${after} and keyframe = 1 and timeMs > ? order by timeMs, id`,
    ),
    blocks: columns({ timeMs: bookBlock.fromMs, full: bookBlock.full }).prepare<Of>(
      db,
      `from bookBlock ${after} and fromMs > ? order by fromMs`,
    ),
    block: columns({ changes: bookBlock.changes }).prepare<Of>(
      db,
      `from bookBlock ${after} and fromMs = ?`,
    ),
    rows: STORED.prepare<Between>(
      db,
      `from book ${after} and timeMs between ? and ? and id >= ? and id < ? order by timeMs, id`,
    ),
  }
}

interface Segment {
  key: number
  run: BookRun
}

/** Starts of one instrument's segments, in order of time. */
interface SegmentIndex {
  timesMs: TapeMs[]
  /** Keyframe id of rows; null for a block. */
  ids: (number | null)[]
  /** Whether its first book is full. */
  full: boolean[]
}

/** The cache of a world's books. */
export const bookCacheOf = perMarket(
  (world) => new BookCache(world),
  (books) => books.grown(),
)

export class BookCache {
  private readonly indexes = new Map<number, SegmentIndex>()
  private readonly segments: Cache<number, Segment>
  private readonly latestSegments = new Map<number, Segment>()
  private readonly latestMost: number
  private readonly ask: ReturnType<typeof bookReaders>
  private readonly newestQuote: ReturnType<typeof newestQuote>

  constructor(
    world: World,
    { weight, latest } = isLongTape(world) ? BOOKS_OF_LONG_TAPES : KEPT_BOOKS,
  ) {
    this.segments = new Cache(weight, ({ run }) => run.weight)
    this.latestMost = latest
    this.ask = bookReaders(world)
    this.newestQuote = newestQuote(world)
  }

  /** The newest book with time <= atMs, its best levels newly quoted; null before the first. */
  at(instrument: InstrumentRow, atMs: TapeMs): Book | null {
    const run = this.runAt(instrument, atMs)
    const book = run?.at(lastUpTo(run.timesMs, atMs)) ?? null
    return quotedBook(book, this.newestQuote(instrument.id, atMs))
  }

  /** Passes such a book to `look`, valid until that returns; null before the first book. */
  look<T>(instrument: InstrumentRow, atMs: TapeMs, look: (book: Book) => T): T | null {
    const quote = this.newestQuote(instrument.id, atMs)
    const run = this.runAt(instrument, atMs)
    if (run)
      return run.look(lastUpTo(run.timesMs, atMs), (book) => look(quotedBook(book, quote) as Book))
    const book = quotedBook(null, quote)
    return book && look(book)
  }

  /** Best levels of such a book; null before the first one. */
  bestAt(instrument: InstrumentRow, atMs: TapeMs): BestLevels | null {
    const quote = this.newestQuote(instrument.id, atMs)
    const run = this.runAt(instrument, atMs)
    if (!run) return quote
    const place = lastUpTo(run.timesMs, atMs)
    return quote && quote.timeMs >= (run.timesMs[place] as TapeMs) ? quote : run.bestAt(place)
  }

  /** The very first book; null if there is none. */
  first(instrument: InstrumentRow): Book | null {
    const [firstMs] = this.indexOf(instrument.id).timesMs
    return firstMs === undefined ? null : this.at(instrument, firstMs)
  }

  /** Times at which a grown book changed, fromMs <= time < toMs; may repeat. */
  grownTimes(instrument: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): TapeMs[] {
    const index = this.indexOf(instrument.id)
    const times: TapeMs[] = []
    let at = Math.max(0, lastUpTo(index.timesMs, fromMs))
    for (; (index.timesMs[at] ?? toMs) < toMs; at++) {
      if (index.ids[at] !== null) continue
      const segment = this.segmentAt(instrument, index, at)
      for (const timeMs of segment?.run.timesMs ?? [])
        if (timeMs >= fromMs && timeMs < toMs) times.push(timeMs)
    }
    return times
  }

  /**
   * Updates the cache after rows were added: the last segment may have more books, and more
   * segments may follow.
   */
  grown(): this {
    for (const [instrument, index] of this.indexes) {
      const place = index.timesMs.length - 1
      if (index.ids[place] !== null) this.forget(instrument, place)
      this.extend(instrument, index)
    }
    return this
  }

  private forget(instrument: number, place: number): void {
    const key = instrument * SEGMENTS_MAX + place
    this.segments.delete(key)
    if (this.latestSegments.get(instrument)?.key === key) this.latestSegments.delete(instrument)
  }

  private runAt(instrument: InstrumentRow, atMs: TapeMs): BookRun | null {
    const index = this.indexOf(instrument.id)
    return this.segmentAt(instrument, index, lastUpTo(index.timesMs, atMs))?.run ?? null
  }

  private segmentAt(instrument: InstrumentRow, index: SegmentIndex, place: number): Segment | null {
    if (place < 0) return null
    const { id } = instrument
    const key = id * SEGMENTS_MAX + place
    const latest = this.latestSegments.get(id)
    if (latest?.key === key) return latest
    const read = () => ({ key, run: this.read(instrument, index, place) })
    const segment = this.segments.get(key, read)
    this.latestSegments.set(id, segment)
    return segment
  }

  private indexOf(instrument: number): SegmentIndex {
    const known = this.indexes.get(instrument)
    if (known) return known
    const index: SegmentIndex = { timesMs: [], ids: [], full: [] }
    this.extend(instrument, index)
    this.indexes.set(instrument, index)
    return index
  }

  private extend(instrument: number, { timesMs, ids, full }: SegmentIndex): void {
    const lastMs = timesMs.at(-1) ?? -1
    const add = (row: { timeMs: TapeMs; id: number | null; full: boolean }) => {
      timesMs.push(row.timeMs)
      ids.push(row.id)
      full.push(row.full)
    }
    for (const { timeMs, id } of this.ask.keyframes.all(instrument, lastMs))
      add({ timeMs, id, full: true })
    for (const { timeMs, full } of this.ask.blocks.all(instrument, lastMs))
      add({ timeMs, id: null, full })
  }

  private read(instrument: InstrumentRow, index: SegmentIndex, place: number): BookRun {
    const { timesMs, ids } = index
    const fromMs = timesMs[place] as TapeMs
    const fromId = ids[place] ?? null
    if (fromId === null) return this.readBlock(instrument, index, place)
    const toMs = timesMs[place + 1] ?? Number.MAX_SAFE_INTEGER
    const toId = ids[place + 1] ?? Number.MAX_SAFE_INTEGER
    const rows = this.ask.rows.all(instrument.id, fromMs, toMs, fromId, toId)
    return new BookRun(booksOfRows(rows, instrument), null, this.latestMost)
  }

  private readBlock(instrument: InstrumentRow, index: SegmentIndex, place: number): BookRun {
    const fromMs = index.timesMs[place] as TapeMs
    const row = this.ask.block.get(instrument.id, fromMs)
    if (!row)
      throw new Error(`the world has no block of books of instrument ${instrument.id} at ${fromMs}`)
    const isFull = index.full[place] === true
    const former = isFull ? undefined : this.segmentAt(instrument, index, place - 1)?.run
    const start = former?.at(former.timesMs.length - 1) ?? null
    return new BookRun(booksOfBlock(row.changes, isFull), start, this.latestMost)
  }
}

/** Memory for other tapes, enough for some thirty playheads. */
const KEPT_BOOKS: KeptBooks = { weight: 4_000_000, latest: 16 }

/** Exceeds the number of segments of one instrument. */
const SEGMENTS_MAX = 2 ** 32
