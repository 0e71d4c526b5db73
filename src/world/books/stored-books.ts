/** Books as they lie in the tables, from a full one on: each follows from the one before. */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { px, sz } from '../../decimal/quantity.ts'
import { BookBlockReader, type InstrumentRow, readLevels, type StoredLevel } from '../schema.ts'
import { applyChanges, type Book, bookOf, type LevelRow } from './book.ts'

/** The books of a span, of which nothing but their times is made at first. */
export interface StoredBooks {
  /** Rising. */
  readonly timesMs: readonly TapeMs[]
  /** Levels of one of them, roughly. */
  readonly levels: number
  /** The next one, in order; `before` is the last one that was made. */
  next(before: Book | undefined): Book
}

/** Rows of a tape: a full book and changes, as texts. */
export function booksOfRows(
  rows: readonly { timeMs: TapeMs; levels: string }[],
  instrument: InstrumentRow,
): StoredBooks {
  const texts = rows.map(({ levels }) => levels)
  let at = 0
  return {
    timesMs: rows.map(({ timeMs }) => timeMs),
    // A stored level takes about 20 characters.
    levels: (texts[0]?.length ?? 0) / 20,
    next(before) {
      const { timeMs } = rows[at] as { timeMs: TapeMs }
      const [bids, asks] = readLevels(texts[at] as string, instrument)
      texts[at++] = ''
      return before ? applyChanges(before, timeMs, bids, asks) : bookOf(timeMs, bids, asks)
    },
  }
}

/** A block of a grown book; `start` is the book before it, null where it begins with a full one. */
export function booksOfBlock(changes: Uint8Array, start: Book | null): StoredBooks {
  const reader = new BookBlockReader(changes)
  const timesMs = reader.timesMs.map(tapeMs)
  let at = 0
  return {
    timesMs,
    // A level takes some five bytes, and half of a block that begins with a full book is that.
    levels: start ? start.bids.length + start.asks.length : changes.length / 10,
    next(before = start ?? undefined) {
      const timeMs = timesMs[at++] as TapeMs
      const [bids, asks] = reader.next() as unknown as [LevelRow[], LevelRow[]]
      return before ? applyChanges(before, timeMs, bids, asks) : bookOf(timeMs, bids, asks)
    },
  }
}

/** The last book of blocks that follow one another; the first one begins with a full one. */
export function bookAfterBlocks(blocks: readonly Uint8Array[]): Book {
  const [bids, asks] = [new Map<number, StoredLevel>(), new Map<number, StoredLevel>()]
  let lastMs = 0
  for (const changes of blocks) {
    const reader = new BookBlockReader(changes)
    for (const timeMs of reader.timesMs) {
      const [changedBids, changedAsks] = reader.next()
      for (const level of changedBids) setLevel(bids, level)
      for (const level of changedAsks) setLevel(asks, level)
      lastMs = timeMs
    }
  }
  return bookOf(tapeMs(lastMs), levelRows(bids), levelRows(asks))
}

function setLevel(side: Map<number, StoredLevel>, level: StoredLevel): void {
  if (level[1] === 0) side.delete(level[0])
  else side.set(level[0], level)
}

const levelRows = (side: ReadonlyMap<number, StoredLevel>) =>
  Array.from(side.values(), ([price, size, n]): LevelRow => [px(price), sz(size), n])
