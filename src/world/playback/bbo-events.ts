/** Changes of best bid and offer, instant by instant. */
import { later, type TapeMs } from '../../clock/instant.ts'
import type { Bbo } from '../../contract/records/book.ts'
import type { TimelineEvent } from '../../contract/timeline.ts'
import { BEST_PRICES, type BestPrices, bboOf, bboRow, hasBboStream } from '../books/best-prices.ts'
import type { BestLevels, PriceLevel } from '../books/book.ts'
import { bookCacheOf } from '../books/book-cache.ts'
import { levelText } from '../books/rounding.ts'
import { perWorld } from '../per-world.ts'
import { columns } from '../rows/columns.ts'
import { bbo, type InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'

type BboEvent = Extract<TimelineEvent, { kind: 'bbo' }>

/** From the tape's own stream of best prices, fromMs <= time < toMs: rows that changed anything. */
export function streamedBboEvents(world: World, fromMs: TapeMs, toMs: TapeMs): BboEvent[] {
  const events: BboEvent[] = []
  const last = new Map<number, BestPrices | null>()
  for (const row of bboRowsBetween(world).all(fromMs, toMs)) {
    const { instrument } = row
    if (!last.has(instrument)) last.set(instrument, bboRow(world, instrument, later(fromMs, -1)))
    const before = last.get(instrument)
    last.set(instrument, row)
    if (before && isSame(before, row)) continue
    const of = world.instruments[instrument] as InstrumentRow
    events.push({
      kind: 'bbo',
      timeMs: row.timeMs,
      coin: of.coin,
      bbo: bboOf(of, row),
      frame: undefined,
    })
  }
  return events
}

/** The change of best prices that a book row brought, for a coin without such a stream; or null. */
export function bookBboEvent(world: World, of: InstrumentRow, timeMs: TapeMs): BboEvent | null {
  if (hasBboStream(world).has(of.id)) return null
  const books = bookCacheOf(world)
  const now = books.bestAt(of, timeMs)
  if (!now || !hasMoved(books.bestAt(of, later(timeMs, -1)), now)) return null
  const best = (level: PriceLevel | null) => level && levelText(level, of)
  const quote: Bbo = { coin: of.coin, time: timeMs, bbo: [best(now.bid), best(now.ask)] }
  return { kind: 'bbo', timeMs, coin: of.coin, bbo: quote, frame: undefined }
}

function hasMoved(before: BestLevels | null, now: BestLevels): boolean {
  return !before || isMoved(before.bid, now.bid) || isMoved(before.ask, now.ask)
}

const isMoved = (before: PriceLevel | null, now: PriceLevel | null) =>
  before !== now && (before?.px !== now?.px || before?.sz !== now?.sz || before?.n !== now?.n)

function isSame(before: BestPrices, now: BestPrices): boolean {
  return (
    before.bidPx === now.bidPx &&
    before.bidSz === now.bidSz &&
    before.bidN === now.bidN &&
    before.askPx === now.askPx &&
    before.askSz === now.askSz &&
    before.askN === now.askN
  )
}

const bboRowsBetween = perWorld(({ db }) =>
  columns({ instrument: bbo.instrument, ...BEST_PRICES.names }).prepare<
    [fromMs: TapeMs, toMs: TapeMs]
  >(db, 'from bbo where timeMs >= ? and timeMs < ? order by timeMs, id'),
)
