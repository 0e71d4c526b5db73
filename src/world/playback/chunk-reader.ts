/** Reads all events of a span of the tape. This is the hot path of playback. */
import type { TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { TimelineEvent } from '../../contract/timeline.ts'
import { bookCacheOf } from '../books/book-cache.ts'
import { columns, type RowOf } from '../rows/columns.ts'
import { type PublicTrade, TRADES, tradeRecords } from '../rows/trade-rows.ts'
import { book, type InstrumentRow, mark } from '../schema.ts'
import type { World } from '../world.ts'
import { accountEvents } from './account-events.ts'
import { bookBboEvent, streamedBboEvents } from './bbo-events.ts'

/** Gives the events with fromMs <= time < toMs in the order that Timeline promises. */
export function chunkReader(
  world: World,
): (fromMs: TapeMs, toMs: TapeMs) => Slices<readonly TimelineEvent[]> {
  const readers = statements(world)
  return function* (fromMs, toMs) {
    const { ledger, fills, orders } = accountEvents(world)(fromMs, toMs)
    yield
    const books = bookEvents(world, [
      ...readers.books.all(fromMs, toMs),
      ...grownBooks(world, fromMs, toMs),
    ])
    const quotes: TimelineEvent[] = []
    for (const { instrument, timeMs } of books) {
      const quote = bookBboEvent(world, instrument, timeMs)
      if (quote) quotes.push(quote)
      yield
    }
    // In this order, events of one instant keep their kind's rank.
    return mergeByTime([
      markEvents(world, readers.marks.all(fromMs, toMs), 'mark'),
      ledger,
      tradeEvents(world, readers.trades.all(fromMs, toMs)),
      fills,
      orders,
      books.map(({ coin, timeMs }) => ({ kind: 'book', timeMs, coin, states: undefined })),
      quotes,
      streamedBboEvents(world, fromMs, toMs),
    ])
  }
}

const MARKS = columns({ instrument: mark.instrument, timeMs: mark.timeMs })
const BOOKS = columns({ instrument: book.instrument, timeMs: book.timeMs })
type Span = [fromMs: TapeMs, toMs: TapeMs]
type OfCoin = RowOf<typeof MARKS | typeof BOOKS>

function statements({ db }: World) {
  const span = 'timeMs >= ? and timeMs < ?'
  const inOrder = 'order by timeMs, id'
  return {
    marks: MARKS.prepare<Span>(db, `from mark where ${span} ${inOrder}`),
    books: BOOKS.prepare<Span>(db, `from book where ${span} ${inOrder}`),
    trades: TRADES.prepare<Span>(db, `from trade where ${span} ${inOrder}`),
  }
}

/** Lists that rise by time, as one; of one instant, earlier lists come first. */
function mergeByTime(lists: (readonly TimelineEvent[])[]): readonly TimelineEvent[] {
  const all = lists.flat()
  // The sort is stable, so within an instant the order of the lists stays.
  return all.sort((a, b) => a.timeMs - b.timeMs)
}

function markEvents(world: World, rows: readonly OfCoin[], kind: 'mark'): TimelineEvent[] {
  return rows.map(({ instrument, timeMs }) => ({
    kind,
    timeMs,
    coin: (world.instruments[instrument] as InstrumentRow).coin,
  }))
}

/** The trades of one coin and instant are one event. */
function tradeEvents(world: World, rows: readonly PublicTrade[]): TimelineEvent[] {
  const { write } = tradeRecords(world)
  const events: Extract<TimelineEvent, { kind: 'trade' }>[] = []
  const latest = new Map<string, (typeof events)[number]>()
  for (const row of rows) {
    const trade = write(row)
    const { coin } = trade
    const { timeMs } = row
    const last = latest.get(coin)
    if (last?.timeMs === timeMs) {
      last.trades.push(trade)
      continue
    }
    const event = { kind: 'trade' as const, timeMs, coin, trades: [trade], frame: undefined }
    latest.set(coin, event)
    events.push(event)
  }
  return events
}

/** Changes of grown books, in order of time and coin. */
function grownBooks(world: World, fromMs: TapeMs, toMs: TapeMs): OfCoin[] {
  const books = bookCacheOf(world)
  const changes = world.instruments.flatMap((of) =>
    books.grownTimes(of, fromMs, toMs).map((timeMs) => ({ instrument: of.id, timeMs })),
  )
  return changes.sort((a, b) => a.timeMs - b.timeMs)
}

/** Books by coin and instant: of several rows of one instant only the last can be seen. */
function bookEvents(world: World, rows: readonly OfCoin[]) {
  const books: { instrument: InstrumentRow; coin: string; timeMs: TapeMs }[] = []
  const latest = new Map<number, number>()
  for (const { instrument: id, timeMs } of rows) {
    if (latest.get(id) === timeMs) continue
    latest.set(id, timeMs)
    const instrument = world.instruments[id] as InstrumentRow
    books.push({ instrument, coin: instrument.coin, timeMs })
  }
  return books
}
