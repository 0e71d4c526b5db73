/**
 * Books that follow one another. A deep one has thousands of levels and most are never looked at
 * as a whole, so few are made and kept: any other is made from the nearest one before it.
 */
import { type BestLevels, type Book, BookWalk, bookOf } from './book.ts'
import type { StoredBooks } from './stored-books.ts'

/** One of so many is kept. */
const KEPT_EVERY = 64
/** What a change takes, in levels of a book. */
const CHANGE_WEIGHT = 40

export class BookRun {
  /** Of the first so many. */
  private readonly best: BestLevels[] = []
  /** Stands after those. */
  private walk: BookWalk | null = null
  private readonly kept = new Map<number, Book>()
  private readonly latest = new Map<number, Book>()

  /**
   * @param start the book before them; null where the first one is full
   * @param latestMost so many that were asked for last are kept: subscribers look at the same ones
   */
  constructor(
    private readonly stored: StoredBooks,
    private readonly start: Book | null,
    private readonly latestMost: number,
  ) {}

  get timesMs() {
    return this.stored.timesMs
  }

  /** Levels that its books point to, roughly. */
  get weight(): number {
    const { levels, timesMs } = this.stored
    const count = timesMs.length
    return levels * Math.min(count, count / KEPT_EVERY + this.latestMost) + count * CHANGE_WEIGHT
  }

  at(at: number): Book {
    const known = this.latest.get(at) ?? this.kept.get(at)
    if (known) return known
    const from = this.nearest(at)
    const walk = new BookWalk(from.book)
    for (let next = from.at + 1; next <= at; next++) {
      walk.apply(this.stored.changes(next))
      this.keep(next, walk)
    }
    const book = from.at === at ? from.book : walk.book(this.timesMs[at] as Book['timeMs'])
    this.latest.set(at, book)
    if (this.latest.size > this.latestMost)
      this.latest.delete(this.latest.keys().next().value as number)
    return book
  }

  /** The best levels of one of them: no book is made for it. */
  bestAt(at: number): BestLevels {
    for (let next = this.best.length; next <= at; next++) {
      this.walk ??= new BookWalk(this.first())
      if (next > 0) this.walk.apply(this.stored.changes(next))
      this.keep(next, this.walk)
      this.best.push(this.walk.best)
    }
    return this.best[at] as BestLevels
  }

  private keep(at: number, walk: BookWalk): void {
    if (at % KEPT_EVERY === 0 && !this.kept.has(at))
      this.kept.set(at, walk.book(this.timesMs[at] as Book['timeMs']))
  }

  /** The nearest one at a place or before it. */
  private nearest(at: number): { at: number; book: Book } {
    let found = -1
    for (const place of this.latest.keys()) if (place <= at && place > found) found = place
    for (let place = at - (at % KEPT_EVERY); place > found; place -= KEPT_EVERY)
      if (this.kept.has(place)) found = place
    const book = this.latest.get(found) ?? this.kept.get(found)
    return book ? { at: found, book } : { at: 0, book: this.first() }
  }

  private first(): Book {
    const { stored, start } = this
    const timeMs = this.timesMs[0] as Book['timeMs']
    const [bids, asks] = stored.changes(0)
    if (start === null) return bookOf(timeMs, bids, asks)
    const walk = new BookWalk(start)
    walk.apply([bids, asks])
    return walk.book(timeMs)
  }
}
