/**
 * The books of a world, rebuilt from keyframes and changes and shared by all sandboxes on it.
 *
 * A keyframe and the changes up to the next make one segment. A segment is read at once, its books
 * are made one after the other when needed; segments unused for long are evicted.
 */
import type { TapeMs } from '../../clock/instant.ts'
import { lastUpTo } from '../binary-search.ts'
import { Cache } from '../cache.ts'
import { perWorld } from '../per-world.ts'
import { columns, type Reader, type RowOf } from '../rows/columns.ts'
import { book, type InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { applyChanges, type Book, bookOf } from './book.ts'
import { readLevels } from './stored-levels.ts'

interface Segment {
  key: number
  /** Times of its rows, rising. */
  timesMs: TapeMs[]
  texts: string[]
  /** The first so many books, made so far. */
  books: Book[]
  /** Levels that its books can point to, roughly. */
  weight: number
}

/** The keyframes of one instrument: times and ids, rising. */
interface KeyframeIndex {
  timesMs: TapeMs[]
  ids: number[]
}

const { id, timeMs, levels } = book
const KEYFRAMES = columns({ timeMs, id })
const STORED = columns({ timeMs, levels })
type Between = [instrument: number, fromMs: number, toMs: number, fromId: number, toId: number]

/** The cache of a world's books. */
export const bookCacheOf = perWorld(
  (world) => new BookCache(world),
  (books) => books.grown(),
)

export class BookCache {
  private readonly keyframeIndexes = new Map<number, KeyframeIndex>()
  private readonly segments: Cache<number, Segment>
  private readonly latestSegments = new Map<number, Segment>()
  private readonly keyframes: Reader<RowOf<typeof KEYFRAMES>, [instrument: number, afterMs: number]>
  private readonly rows: Reader<RowOf<typeof STORED>, Between>

  constructor(world: World, weightMost = 4_000_000) {
    this.segments = new Cache(weightMost, ({ weight }) => weight)
    this.keyframes = KEYFRAMES.prepare(
      world.db,
      'from book where instrument = ? and keyframe = 1 and timeMs > ? order by timeMs, id',
    )
    this.rows = STORED.prepare(
      world.db,
      `from book where instrument = ? and timeMs between ? and ? and id >= ? and id < ?
       order by timeMs, id`,
    )
  }

  /** The newest book with time <= atMs; null before the first. */
  at(instrument: InstrumentRow, atMs: TapeMs): Book | null {
    const segment = this.segmentAt(instrument, atMs)
    if (segment === null) return null
    return this.book(instrument, segment, lastUpTo(segment.timesMs, atMs))
  }

  /** The last segment may have got more books, and there may be more keyframes. */
  grown(): this {
    for (const [instrument, { timesMs, ids }] of this.keyframeIndexes) {
      const last = instrument * KEYFRAMES_MAX + timesMs.length - 1
      this.segments.delete(last)
      if (this.latestSegments.get(instrument)?.key === last) this.latestSegments.delete(instrument)
      for (const row of this.keyframes.all(instrument, timesMs.at(-1) ?? -1)) {
        timesMs.push(row.timeMs)
        ids.push(row.id)
      }
    }
    return this
  }

  private segmentAt(instrument: InstrumentRow, atMs: TapeMs): Segment | null {
    const keys = this.keyframesOf(instrument)
    const place = lastUpTo(keys.timesMs, atMs)
    if (place < 0) return null
    const key = instrument.id * KEYFRAMES_MAX + place
    const latest = this.latestSegments.get(instrument.id)
    if (latest?.key === key) return latest
    const segment = this.segments.get(key, () => this.read(instrument, keys, place, key))
    this.latestSegments.set(instrument.id, segment)
    return segment
  }

  private book(instrument: InstrumentRow, segment: Segment, at: number): Book {
    const { books, texts, timesMs } = segment
    for (let next = books.length; next <= at; next++) {
      const timeMs = timesMs[next] as TapeMs
      const [bids, asks] = readLevels(texts[next] as string, instrument)
      const before = books[next - 1]
      books.push(before ? applyChanges(before, timeMs, bids, asks) : bookOf(timeMs, bids, asks))
      texts[next] = ''
    }
    return books[at] as Book
  }

  private keyframesOf(instrument: InstrumentRow): KeyframeIndex {
    const known = this.keyframeIndexes.get(instrument.id)
    if (known) return known
    const rows = this.keyframes.all(instrument.id, -1)
    const keys = { timesMs: rows.map(({ timeMs }) => timeMs), ids: rows.map(({ id }) => id) }
    this.keyframeIndexes.set(instrument.id, keys)
    return keys
  }

  private read({ id }: InstrumentRow, keys: KeyframeIndex, place: number, key: number): Segment {
    const fromMs = keys.timesMs[place] as number
    const toMs = keys.timesMs[place + 1] ?? Number.MAX_SAFE_INTEGER
    const toId = keys.ids[place + 1] ?? Number.MAX_SAFE_INTEGER
    const rows = this.rows.all(id, fromMs, toMs, keys.ids[place] as number, toId)
    // A stored level takes about 20 characters.
    const weight = ((rows[0]?.levels.length ?? 0) / 20) * rows.length
    const texts = rows.map(({ levels }) => levels)
    return { key, timesMs: rows.map(({ timeMs }) => timeMs), texts, books: [], weight }
  }
}

/** More keyframes than one instrument can have. */
const KEYFRAMES_MAX = 2 ** 32
