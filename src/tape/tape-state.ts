import { OrderBook } from './order-book.ts'
import type { EventDraft, TapeEvent } from './tape-event.ts'

const LATEST_KINDS = new Set<TapeEvent['kind']>(['bbo', 'funding', 'mark', 'interest'])

/**
 * What is in force at some moment of a tape: each coin's book and its last bbo, mark, funding rate
 * and open interest, gathered from the events before.
 */
export class TapeState {
  private readonly books = new Map<string, OrderBook>()
  private readonly latest = new Map<string, TapeEvent>()

  /** Applies the next event of the tape. */
  apply(event: TapeEvent): void {
    if (event.kind === 'book' || event.kind === 'delta') this.book(event.coin).apply(event)
    else if (LATEST_KINDS.has(event.kind)) this.latest.set(`${event.coin} ${event.kind}`, event)
  }

  /** The events that restate it at `timeMs`, full books first. */
  events(timeMs: number): EventDraft[] {
    const drafts: EventDraft[] = []
    for (const [coin, book] of this.books) {
      const data = { bids: book.bids(), asks: book.asks() }
      if (book.isComplete) drafts.push({ time: timeMs, kind: 'book', coin, data })
    }
    for (const { seq: _, ...draft } of this.latest.values()) drafts.push({ ...draft, time: timeMs })
    return drafts
  }

  private book(coin: string): OrderBook {
    const known = this.books.get(coin)
    if (known) return known
    const book = new OrderBook()
    this.books.set(coin, book)
    return book
  }
}
