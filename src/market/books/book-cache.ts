/**
 * The books of a world, rebuilt from full books and changes and shared by all sandboxes on it.
 *
 * A keyframe and the changes up to the next make one segment, and so does a block of a grown book.
 * The changes of a segment are read at once, books are made when needed; segments unused for long
 * are evicted.
 */
import type { TapeMs } from '../../clock/instant.ts'
import { columns } from '../rows/columns.ts'
import { book, bookBlock, type InstrumentRow } from '../schema/schema.ts'
import { lastUpTo } from '../world/binary-search.ts'
import { Cache } from '../world/cache.ts'
import { perMarket } from '../world/per-world.ts'
import { BOOKS_OF_LONG_TAPES, isLongTape, type KeptBooks } from '../world/tape-length.ts'
import type { World } from '../world/world.ts'
import type { BestLevels, Book } from './book.ts'
import { BookRun } from './book-run.ts'
import { booksOfBlock, booksOfRows } from './stored-books.ts'

const STORED = columns({ timeMs: book.timeMs, levels: book.levels })
type Of = [instrument: number, ms: number]
type Between = [instrument: number, fromMs: number, toMs: number, fromId: number, toId: number]

/** Reads where the books of an instrument begin anew, and what lies between. */
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

/** Where the segments of one instrument begin, in order of time. */
interface SegmentIndex {
  timesMs: TapeMs[]
  /** Of rows, the id of the keyframe; null for a block. */
  ids: (number | null)[]
  /** Whether its first book is a full one. */
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

  constructor(
    world: World,
    { weight, latest } = isLongTape(world) ? BOOKS_OF_LONG_TAPES : KEPT_BOOKS,
  ) {
    this.segments = new Cache(weight, ({ run }) => run.weight)
    this.latestMost = latest
    this.ask = bookReaders(world)
  }

  /** The newest book with time <= atMs; null before the first. */
  at(instrument: InstrumentRow, atMs: TapeMs): Book | null {
    const run = this.runAt(instrument, atMs)
    return run?.at(lastUpTo(run.timesMs, atMs)) ?? null
  }

  /** Looks at it, which is good until `look` returns; null before the first book. */
  look<T>(instrument: InstrumentRow, atMs: TapeMs, look: (book: Book) => T): T | null {
    const run = this.runAt(instrument, atMs)
    return run?.look(lastUpTo(run.timesMs, atMs), look) ?? null
  }

  /** Its best levels; null before the first book. */
  bestAt(instrument: InstrumentRow, atMs: TapeMs): BestLevels | null {
    const run = this.runAt(instrument, atMs)
    return run?.bestAt(lastUpTo(run.timesMs, atMs)) ?? null
  }

  /** The first book of all; null where there is none. */
  first(instrument: InstrumentRow): Book | null {
    const [firstMs] = this.indexOf(instrument.id).timesMs
    return firstMs === undefined ? null : this.at(instrument, firstMs)
  }

  /** When a grown book changed, fromMs <= time < toMs; instants may come twice. */
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

  /** The last segment of rows may have got more books, and there may be more segments. */
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

/** What is kept of other tapes, for some thirty playheads. */
const KEPT_BOOKS: KeptBooks = { weight: 4_000_000, latest: 16 }

/** More segments than one instrument can have. */
const SEGMENTS_MAX = 2 ** 32
