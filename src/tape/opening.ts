import { Book } from './book.ts'
import type { Draft, TapeEvent } from './event.ts'

const GAUGES = new Set<TapeEvent['kind']>(['bbo', 'funding', 'mark', 'interest'])

/**
 * What is in force at some moment of a tape: each coin's book and its last bbo, mark, funding rate
 * and open interest, gathered from the events before.
 */
export class Opening {
  private readonly books = new Map<string, Book>()
  private readonly gauges = new Map<string, TapeEvent>()

  /** Takes the next event of the tape. */
  apply(event: TapeEvent): void {
    if (event.kind === 'book' || event.kind === 'delta') this.book(event.coin).apply(event)
    else if (GAUGES.has(event.kind)) this.gauges.set(`${event.coin} ${event.kind}`, event)
  }

  /** The events that say it all again at `timeMs`, whole books first. */
  events(timeMs: number): Draft[] {
    const drafts: Draft[] = []
    for (const [coin, book] of this.books) {
      const data = { bids: book.bids(), asks: book.asks() }
      if (book.whole) drafts.push({ time: timeMs, kind: 'book', coin, data })
    }
    for (const { seq: _, ...draft } of this.gauges.values()) drafts.push({ ...draft, time: timeMs })
    return drafts
  }

  private book(coin: string): Book {
    const known = this.books.get(coin)
    if (known) return known
    const book = new Book()
    this.books.set(coin, book)
    return book
  }
}
