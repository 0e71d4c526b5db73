/** Books as they lie in the tables: the times of a span of them, and what each changes. */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { BookBlockReader, type InstrumentRow, readLevels } from '../schema.ts'
import type { BookChanges, LevelRow } from './book.ts'

/** Some books, of which nothing but their times is read at first. */
export interface StoredBooks {
  /** Rising. */
  readonly timesMs: readonly TapeMs[]
  /** Levels of one of them, roughly. */
  readonly levels: number
  /** What changed by one of them; of the first one, where it is full, all levels. */
  changes(at: number): BookChanges
}

/** Rows of a tape: a full book and changes, as texts. */
export function booksOfRows(
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

/** A block of a grown book, which begins with a full one or goes on from what was before it. */
export function booksOfBlock(block: Uint8Array, isFull: boolean): StoredBooks {
  const reader = new BookBlockReader(block)
  // They follow from one another, so they are read in order and kept.
  const read: BookChanges[] = []
  return {
    timesMs: reader.timesMs.map(tapeMs),
    // A level takes some five bytes, and half of a block that begins with a full book is that.
    levels: block.length / (isFull ? 10 : 5),
    changes(at) {
      while (read.length <= at) read.push(reader.next() as unknown as [LevelRow[], LevelRow[]])
      return read[at] as BookChanges
    },
  }
}
