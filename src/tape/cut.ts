import { UserError } from '../platform/user-error.ts'
import { OrderBook } from './order-book.ts'
import type { EventDraft, TapeEvent, TapeHeader } from './tape-event.ts'
import { openTape } from './tape-reader.ts'
import { createTape, type TapeWriter } from './tape-writer.ts'

/** Selected part of a tape. */
export interface TapePart {
  /** First moment, ms since 1970. By default the start of the tape. */
  fromMs?: number
  /** End of the part, excluded. By default the end of the tape. */
  toMs?: number
  /** Coins; by default all of them, and the raw exchanges and frames. */
  coins?: readonly string[]
}

/**
 * Writes a part of a tape as a tape of its own.
 *
 * It begins with the state at its start: the full book of each coin, rebuilt, and the last bbo,
 * mark, funding rate and open interest. A part without events and an unknown coin are a
 * `UserError`.
 */
export async function cutTape(source: string, out: string, part: TapePart): Promise<TapeHeader> {
  const tape = await openTape(source)
  const wanted = wantedCoins(source, tape.header, part.coins)
  const instruments = tape.header.instruments.filter(({ coin }) => wanted.has(coin))
  const writer = await createTape(out, { source: tape.header.source, instruments })
  try {
    const { startMs, endMs } = tape.header
    const [fromMs, toMs] = [part.fromMs ?? startMs, part.toMs ?? endMs + 1]
    const hasEvents = await copyWindow(tape.events(), writer, { fromMs, toMs, coins: wanted })
    if (!hasEvents)
      throw new UserError(
        `${source}: has no events from ${fromMs} to ${toMs}, it runs from ${startMs} to ${endMs}`,
      )
    return await writer.finish()
  } finally {
    await writer.abandon()
  }
}

interface CutWindow {
  fromMs: number
  toMs: number
  coins: ReadonlySet<string>
}

/** Copies the window; true when it has at least one event. */
async function copyWindow(
  batches: AsyncIterable<TapeEvent[]>,
  writer: TapeWriter,
  { fromMs, toMs, coins }: CutWindow,
): Promise<boolean> {
  const state = new TapeState()
  let hasBegun = false
  for await (const batch of batches) {
    for (const event of batch) {
      if (event.time >= toMs) return hasBegun
      if (!coins.has(event.coin)) continue
      if (event.time < fromMs) {
        state.apply(event)
        continue
      }
      if (!hasBegun) for (const draft of state.events(fromMs)) await writer.write(draft)
      hasBegun = true
      const drained = writer.write(event)
      if (drained) await drained
    }
  }
  return hasBegun
}

/** The coins to keep; the empty one means exchanges and frames. */
function wantedCoins(
  source: string,
  header: TapeHeader,
  requested?: readonly string[],
): Set<string> {
  const present = new Set(header.instruments.map(({ coin }) => coin))
  if (!requested) return present.add('')
  for (const coin of requested)
    if (!present.has(coin))
      throw new UserError(`${source}: has no coin ${coin}, it has ${[...present].join(', ')}`)
  return new Set(requested)
}

const LATEST_KINDS = new Set<TapeEvent['kind']>(['bbo', 'funding', 'mark', 'interest'])

/**
 * State of a tape at a moment: each coin's book and its last bbo, mark, funding rate and open
 * interest, from the earlier events.
 */
class TapeState {
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
