/** Events of a world's tape, read in chunks that all its sandboxes share. */

import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import type { Bbo } from '../../contract/records/book.ts'
import { KIND_RANKS, type Timeline, type TimelineEvent } from '../../contract/timeline.ts'
import type { BestLevels, PriceLevel } from '../books/book.ts'
import { levelText } from '../books/book.ts'
import { bookCacheOf, type Quote, quotesBetween } from '../books/book-cache.ts'
import { accountWorld, isAnnouncedIn } from '../crowd/account-world.ts'
import { columns, type RowOf } from '../rows/columns.ts'
import { lastUpTo } from '../rows/step-series.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { type PublicTrade, TRADES, tradeRecords } from '../rows/trade-rows.ts'
import { book, type InstrumentRow, mark, schema } from '../schema/schema.ts'
import { perWorld, SpanCache } from '../world/cache.ts'
import { isOfCrowd } from '../world/crowd-address.ts'
import { CHUNKS_OF_LONG_TAPES, isLongTape } from '../world/tape-length.ts'
import type { World } from '../world/world.ts'
import { accountEvents } from './account-events.ts'

// Reads all events of a span of the tape. This is the hot path of playback.

/** Changes of best bid and offer, instant by instant. */
type BboEvent = Extract<TimelineEvent, { kind: 'bbo' }>

/** Changes of best prices by the tape's quotes, in their order; `books` are those of the span. */
function quotedEvents(world: World, quotes: readonly Quote[], books: readonly BookPlace[]) {
  const events: BboEvent[] = []
  const cache = bookCacheOf(world)
  const bookTimes = new Map<number, TapeMs[]>()
  for (const { instrument, timeMs } of books) {
    const times = bookTimes.get(instrument.id)
    if (times) times.push(timeMs)
    else bookTimes.set(instrument.id, [timeMs])
  }
  const last = new Map<number, Quote>()
  for (const quote of quotes) {
    const { instrument, timeMs } = quote
    const of = world.instruments[instrument] as InstrumentRow
    const former = last.get(instrument)
    last.set(instrument, quote)
    // A book in between has other best prices than the quote before it.
    const isBookNewer = () => {
      const times = bookTimes.get(instrument) ?? []
      return (times[lastUpTo(times, later(timeMs, -1))] ?? 0) > (former?.timeMs ?? 0)
    }
    const before = former && !isBookNewer() ? former : cache.bestAt(of, later(timeMs, -1))
    if (hasMoved(before, quote)) events.push(bboEvent(of, timeMs, quote))
  }
  return events
}

/** Change of best prices by a book without a quote of the same instant; or null. */
function bookBboEvent(world: World, of: InstrumentRow, timeMs: TapeMs): BboEvent | null {
  const books = bookCacheOf(world)
  const now = books.bestAt(of, timeMs)
  if (!now || !hasMoved(books.bestAt(of, later(timeMs, -1)), now)) return null
  return bboEvent(of, timeMs, now)
}

function bboEvent(of: InstrumentRow, timeMs: TapeMs, { bid, ask }: BestLevels): BboEvent {
  const best = (level: PriceLevel | null) => level && levelText(level, of)
  const quote: Bbo = { coin: of.coin, time: timeMs, bbo: [best(bid), best(ask)] }
  return { kind: 'bbo', timeMs, coin: of.coin, bbo: quote, frame: undefined }
}

function hasMoved(before: BestLevels | null, now: BestLevels): boolean {
  return !before || isMoved(before.bid, now.bid) || isMoved(before.ask, now.ask)
}

const isMoved = (before: PriceLevel | null, now: PriceLevel | null) =>
  before !== now && (before?.px !== now?.px || before?.sz !== now?.sz || before?.n !== now?.n)

/** Reads the events with fromMs <= time < toMs in the order that Timeline defines. */
function chunkReader(
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
    const quotes = quotesBetween(world, fromMs, toMs)
    const quoted = new Set(quotes.map(({ instrument, timeMs }) => `${instrument} ${timeMs}`))
    const best: TimelineEvent[] = []
    for (const { instrument, timeMs } of books) {
      const isQuoted = quoted.size > 0 && quoted.has(`${instrument.id} ${timeMs}`)
      const event = isQuoted ? null : bookBboEvent(world, instrument, timeMs)
      if (event) best.push(event)
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
      best,
      quotedEvents(world, quotes, books),
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

/** Merges lists sorted by time; at one instant, earlier lists come first. */
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

/** When the book of a coin changed. */
interface BookPlace {
  instrument: InstrumentRow
  coin: string
  timeMs: TapeMs
}

/** Books by coin and instant: of several rows of one instant only the last is visible. */
function bookEvents(world: World, rows: readonly OfCoin[]): BookPlace[] {
  const books: BookPlace[] = []
  const latest = new Map<number, number>()
  for (const { instrument: id, timeMs } of rows) {
    if (latest.get(id) === timeMs) continue
    latest.set(id, timeMs)
    const instrument = world.instruments[id] as InstrumentRow
    books.push({ instrument, coin: instrument.coin, timeMs })
  }
  return books
}

// Events of crowd accounts, which have rows only on request.

/**
 * Events of the given accounts with fromMs <= time < toMs, by time and kind. They follow from the
 * market's trades in that span; liquidations are announced before they are traded.
 */
function crowdEvents(
  world: World,
  addresses: ReadonlySet<string>,
  ofMarket: readonly TimelineEvent[],
  fromMs: TapeMs,
  toMs: TapeMs,
): readonly TimelineEvent[] {
  const found: TimelineEvent[] = []
  for (const address of concerned(world, addresses, ofMarket, fromMs, toMs)) {
    const account = accountWorld(world, address)
    if (!account) continue
    const { ledger, fills, orders } = accountEvents(account)(fromMs, toMs)
    for (const event of [...ledger, ...fills, ...orders])
      if ('address' in event && event.address === address) found.push(event)
  }
  return found.sort((a, b) => a.timeMs - b.timeMs || KIND_RANKS[a.kind] - KIND_RANKS[b.kind])
}

function concerned(
  world: World,
  addresses: ReadonlySet<string>,
  ofMarket: readonly TimelineEvent[],
  fromMs: TapeMs,
  toMs: TapeMs,
): Set<string> {
  const found = new Set<string>()
  for (const event of ofMarket)
    if (event.kind === 'trade')
      for (const { users } of event.trades)
        for (const user of users) if (addresses.has(user)) found.add(user)
  for (const address of addresses)
    if (isAnnouncedIn(world, address, fromMs, toMs)) found.add(address)
  return found
}

/** The timeline of a world, shared by all its sandboxes. */
export const timelineOf = perWorld<Timeline>((world) => {
  const { startMs, tapeEndMs } = world
  const chunkMs = chunkMsOf(world)
  return {
    startMs,
    tapeEndMs,
    get endMs() {
      return world.endMs
    },
    chunkMs,
    chunk: (index) => eventChunk(world, chunkMs, index),
    prepare: (index) => prepareChunk(world, chunkMs, index),
    isOnDemand: isOfCrowd,
    onDemandEvents: (addresses, index) => onDemandEvents(world, chunkMs, addresses, index),
  }
})

/** Events of a world in a chunk of a given length, counted from its start. */
export function eventChunk(world: World, chunkMs: number, index: number): readonly TimelineEvent[] {
  const span = spanOf(world, chunkMs, index)
  if (span === null) return []
  const read = () => runToEnd(chunkReaderOf(world)(span.fromMs, span.toMs))
  return chunkCache(world).get(span.key, span.fromMs + chunkMs, read)
}

/** Reads such a chunk in slices, unless it is cached. */
export function* prepareChunk(world: World, chunkMs: number, index: number): Slices<void> {
  const [span, cache] = [spanOf(world, chunkMs, index), chunkCache(world)]
  if (span === null || cache.find(span.key)) return
  const { endMs } = world
  const events = yield* chunkReaderOf(world)(span.fromMs, span.toMs)
  cache.put(span.key, span.fromMs + chunkMs, events, endMs)
}

/** Reads what playback needs from an instant on, in slices. */
export function* preparePlayback(world: World, chunkMs: number, atMs: TapeMs): Slices<void> {
  yield* prepareChunk(world, chunkMs, Math.floor((atMs - world.startMs) / chunkMs))
  for (const { id } of world.listed) yield* tradeHoursOf(world).read(id, atMs, later(atMs, 1))
}

/** Span of such a chunk; null where it has none. */
function spanOf({ startMs, endMs }: World, chunkMs: number, index: number) {
  const fromMs = later(startMs, index * chunkMs)
  if (fromMs > endMs || index < 0) return null
  const toMs = tapeMs(Math.min(fromMs + chunkMs, endMs + 1))
  return { key: `${chunkMs}/${index}`, fromMs, toMs }
}

/** Events of crowd accounts in such a chunk. */
export function onDemandEvents(
  world: World,
  chunkMs: number,
  addresses: ReadonlySet<string>,
  index: number,
): readonly TimelineEvent[] {
  const fromMs = later(world.startMs, index * chunkMs)
  const ofMarket = eventChunk(world, chunkMs, index)
  return crowdEvents(world, addresses, ofMarket, fromMs, later(fromMs, chunkMs))
}

const chunkCache = perWorld((world) => {
  const most = isLongTape(world) ? CHUNKS_OF_LONG_TAPES : CACHED_CHUNKS
  return new SpanCache<string, readonly TimelineEvent[]>(world, most)
})

/** Reads its beginning in slices: first reads take much longer than later ones. */
export const warmTimeline = (world: World): Slices<void> => timelineOf(world).prepare(0)

const chunkReaderOf = perWorld(chunkReader)

/** Rows of an average chunk: few, as playback waits for each read. */
const CHUNK_ROWS = 120
/** Chunks cached in memory, a hundred thousand events in all: a short tape fits as a whole. */
const CACHED_CHUNKS = 800
const CHUNK_MIN_MS = 100
const CHUNK_MAX_MS = 60_000

/** Tables that events are read from. */
const TABLES = ['mark', 'ledger', 'trade', 'fill', 'book', 'bbo'] as const

/**
 * A length at which the average chunk has about CHUNK_ROWS rows. Ids rise with time, so they count.
 */
function chunkMsOf({ db, startMs, tapeEndMs: endMs }: World): number {
  const count = (table: (typeof TABLES)[number]) => {
    const edge = (order: string) =>
      columns({ id: schema[table].id })
        .prepare<[fromMs: TapeMs, toMs: TapeMs]>(
          db,
          `from "${table}" where timeMs between ? and ? order by timeMs ${order} limit 1`,
        )
        .get(startMs, endMs)?.id ?? 0
    return Math.abs(edge('desc') - edge('asc')) + 1
  }
  const rows = TABLES.reduce((n, t) => n + count(t), 0)
  const lengthMs = Math.floor(((endMs - startMs) * CHUNK_ROWS) / rows)
  return Math.min(CHUNK_MAX_MS, Math.max(CHUNK_MIN_MS, lengthMs))
}
