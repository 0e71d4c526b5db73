/**
 * A run of successive books. A deep book has thousands of levels, and most are never read as a
 * whole, so few are made and kept: others are read while a walk over the changes passes them.
 */
import {
  type BestLevels,
  type Book,
  BookWalk,
  bookOf,
  type LevelTexts,
  type PriceLevel,
} from './book.ts'
import type { StoredBooks } from './book-cache.ts'

/** Every so many books one is kept. */
const KEPT_EVERY = 64
/** Memory of a change, in levels of a book. */
const CHANGE_WEIGHT = 4
/** Text forms of widely shared books are kept for so many books. */
const SHOWN_MOST = 16

/** A walk and the index of its current book. */
interface Walker {
  at: number
  readonly walk: BookWalk
}

export class BookRun {
  /** Best levels of the books walked so far. */
  private readonly bestBids: (PriceLevel | null)[] = []
  private readonly bestAsks: (PriceLevel | null)[] = []
  /** Positioned after those. */
  private bestWalk: BookWalk | null = null
  /** Least recently used first. */
  private readonly walkers: Walker[] = []
  private readonly kept = new Map<number, Book>()
  private readonly latest = new Map<number, Book>()
  private readonly shown = new Map<number, Map<number, LevelTexts>>()

  /**
   * @param start the book before them; null where the first one is full
   * @param latestMost number of recently read books to keep: subscribers read the same ones
   */
  constructor(
    private readonly stored: StoredBooks,
    private readonly start: Book | null,
    private readonly latestMost: number,
  ) {}

  get timesMs() {
    return this.stored.timesMs
  }

  /** Approximate number of levels that its books refer to. */
  get weight(): number {
    const { levels, timesMs } = this.stored
    const count = timesMs.length
    return (
      levels * Math.min(count, count / KEPT_EVERY + 2 * this.latestMost) + count * CHANGE_WEIGHT
    )
  }

  at(at: number): Book {
    const known = this.latest.get(at) ?? this.kept.get(at)
    if (known) return known
    const book = this.walkTo(at).book(this.timeOf(at))
    keepFew(this.latest, at, book, this.latestMost)
    return book
  }

  /** Passes one book to `look`, valid until that returns: its levels are not copied. */
  look<T>(at: number, look: (book: Book) => T): T {
    const known = this.latest.get(at) ?? this.kept.get(at)
    if (known) return look(known)
    const roundedCache = this.shown.get(at) ?? new Map<number, LevelTexts>()
    keepFew(this.shown, at, roundedCache, SHOWN_MOST)
    const { sides } = this.walkTo(at)
    return look({ timeMs: this.timeOf(at), ...sides, roundedCache })
  }

  /** The best levels of one book. */
  bestAt(at: number): BestLevels {
    for (let next = this.bestBids.length; next <= at; next++) {
      this.bestWalk ??= new BookWalk(this.first())
      if (next > 0) this.bestWalk.apply(this.stored.changes(next))
      this.keep(next, this.bestWalk)
      const { bids, asks } = this.bestWalk.sides
      this.bestBids.push(bids[0] ?? null)
      this.bestAsks.push(asks[0] ?? null)
    }
    return { bid: this.bestBids[at] ?? null, ask: this.bestAsks[at] ?? null }
  }

  /** A walk positioned at an index: the nearest one before it, moved on, or a new one. */
  private walkTo(at: number): BookWalk {
    const from = this.nearest(at)
    const walker = this.walkerAt(at, from) ?? { at: from, walk: new BookWalk(this.known(from)) }
    this.walkers.push(walker)
    if (this.walkers.length > this.latestMost) this.walkers.shift()
    while (walker.at < at) {
      walker.walk.apply(this.stored.changes(++walker.at))
      this.keep(walker.at, walker.walk)
    }
    return walker.walk
  }

  /** Removes and returns the walker nearest to an index, between `fromAt` and it. */
  private walkerAt(at: number, fromAt: number): Walker | null {
    let found = -1
    for (const [index, walker] of this.walkers.entries())
      if (walker.at <= at && walker.at >= (this.walkers[found]?.at ?? fromAt)) found = index
    return found < 0 ? null : (this.walkers.splice(found, 1)[0] as Walker)
  }

  private keep(at: number, walk: BookWalk): void {
    if (at % KEPT_EVERY === 0 && !this.kept.has(at)) this.kept.set(at, walk.book(this.timeOf(at)))
  }

  /** Index of the nearest known book at or before an index; 0 if none. */
  private nearest(at: number): number {
    let found = 0
    for (const place of this.latest.keys()) if (place <= at && place > found) found = place
    for (let place = at - (at % KEPT_EVERY); place > found; place -= KEPT_EVERY)
      if (this.kept.has(place)) found = place
    return found
  }

  private known(at: number): Book {
    return this.latest.get(at) ?? this.kept.get(at) ?? this.first()
  }

  private timeOf(at: number): Book['timeMs'] {
    return this.timesMs[at] as Book['timeMs']
  }

  private first(): Book {
    const { stored, start } = this
    const timeMs = this.timeOf(0)
    const [bids, asks] = stored.changes(0)
    if (start === null) return bookOf(timeMs, bids, asks)
    const walk = new BookWalk(start)
    walk.apply([bids, asks])
    return walk.book(timeMs)
  }
}

/** Keeps the most recently used values. */
function keepFew<T>(values: Map<number, T>, at: number, value: T, most: number): void {
  values.delete(at)
  values.set(at, value)
  if (values.size > most) values.delete(values.keys().next().value as number)
}
