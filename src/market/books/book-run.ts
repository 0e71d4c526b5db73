/**
 * Books that follow one another. A deep one has thousands of levels and most are never looked at
 * as a whole, so few are made and kept: others are looked at where a walk over the changes passes
 * them.
 */
import {
  type BestLevels,
  type Book,
  BookWalk,
  bookOf,
  type LevelTexts,
  type PriceLevel,
} from './book.ts'
import type { StoredBooks } from './stored-books.ts'

/** One of so many is kept. */
const KEPT_EVERY = 64
/** What a change takes, in levels of a book. */
const CHANGE_WEIGHT = 4
/** Texts that were made of books that are looked at by many are kept for so many books. */
const SHOWN_MOST = 16

/** A walk, and the place of the book that it stands at. */
interface Walker {
  at: number
  readonly walk: BookWalk
}

export class BookRun {
  /** Best levels of the first so many. */
  private readonly bestBids: (PriceLevel | null)[] = []
  private readonly bestAsks: (PriceLevel | null)[] = []
  /** Stands after those. */
  private bestWalk: BookWalk | null = null
  /** The one that was used last is the last. */
  private readonly walkers: Walker[] = []
  private readonly kept = new Map<number, Book>()
  private readonly latest = new Map<number, Book>()
  private readonly shown = new Map<number, Map<number, LevelTexts>>()

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

  /** Looks at one of them, which is good until `look` returns: its levels are not copied. */
  look<T>(at: number, look: (book: Book) => T): T {
    const known = this.latest.get(at) ?? this.kept.get(at)
    if (known) return look(known)
    const roundedCache = this.shown.get(at) ?? new Map<number, LevelTexts>()
    keepFew(this.shown, at, roundedCache, SHOWN_MOST)
    const { sides } = this.walkTo(at)
    return look({ timeMs: this.timeOf(at), ...sides, roundedCache })
  }

  /** The best levels of one of them. */
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

  /** A walk that stands at a place: the nearest one behind it goes there, or one that begins. */
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

  /** Takes out the walker that is nearest to a place, at it or between it and another place. */
  private walkerAt(at: number, fromAt: number): Walker | null {
    let found = -1
    for (const [index, walker] of this.walkers.entries())
      if (walker.at <= at && walker.at >= (this.walkers[found]?.at ?? fromAt)) found = index
    return found < 0 ? null : (this.walkers.splice(found, 1)[0] as Walker)
  }

  private keep(at: number, walk: BookWalk): void {
    if (at % KEPT_EVERY === 0 && !this.kept.has(at)) this.kept.set(at, walk.book(this.timeOf(at)))
  }

  /** The place of the nearest book that is known, at a place or before it; 0 where none is. */
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

/** Keeps what was used last. */
function keepFew<T>(values: Map<number, T>, at: number, value: T, most: number): void {
  values.delete(at)
  values.set(at, value)
  if (values.size > most) values.delete(values.keys().next().value as number)
}
