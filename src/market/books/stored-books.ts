/** Books as they lie in the tables: the times of a span of them, and what each changes. */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import {
  type BlockPlace,
  BookBlockReader,
  type InstrumentRow,
  readLevels,
} from '../schema/schema.ts'
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
  const changes = new BlockChanges(reader)
  return {
    timesMs: reader.timesMs.map(tapeMs),
    // A level takes some five bytes, and half of a block that begins with a full book is that.
    levels: block.length / (isFull ? 10 : 5),
    changes: (at) => changes.at(at),
  }
}

/**
 * Changes of a block in any order, though they follow from one another. Kept is where some of them
 * begin: what they say would be many objects that live for long.
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

/** Of so many changes of a block the place of one is kept. */
const PLACE_EVERY = 16
