/** Changes of best bid and offer, instant by instant. */
import type { Happening } from '../../contract/facts.ts'
import type { Bbo } from '../../contract/records/book.ts'
import type { Book, Rung } from '../books/book.ts'
import { shown } from '../books/rounding.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { BBO_COLUMNS, type BboValues, bboOf, bboRow, hasStream, shelfOf } from './books.ts'
import { perWorld } from './per-world.ts'

type BboHappening = Extract<Happening, { kind: 'bbo' }>

/** From the tape's own stream of best prices, fromMs <= time < toMs: rows that changed anything. */
export function streamedQuotes(world: World, fromMs: number, toMs: number): BboHappening[] {
  const happenings: BboHappening[] = []
  const last = new Map<number, BboValues | undefined>()
  for (const row of rowsOf(world).values(fromMs, toMs) as [number, ...BboValues][]) {
    const [instrument, ...values] = row
    if (!last.has(instrument)) last.set(instrument, bboRow(world, instrument, fromMs - 1))
    const before = last.get(instrument)
    last.set(instrument, values)
    if (before && isSame(before, values)) continue
    const of = world.instruments[instrument] as InstrumentRow
    const bbo = bboOf(of, values)
    happenings.push({ kind: 'bbo', timeMs: bbo.time, coin: of.coin, bbo })
  }
  return happenings
}

/** The change of best prices that a book row brought, for a coin without such a stream; or null. */
export function bookQuote(world: World, of: InstrumentRow, timeMs: number): BboHappening | null {
  if (hasStream(world).has(of.id)) return null
  const shelf = shelfOf(world)
  const now = shelf.at(of, timeMs)
  if (!now || !hasMoved(shelf.at(of, timeMs - 1), now)) return null
  const best = (side: readonly Rung[]) => (side[0] ? shown(side[0], of) : null)
  const bbo: Bbo = { coin: of.coin, time: now.timeMs, bbo: [best(now.bids), best(now.asks)] }
  return { kind: 'bbo', timeMs, coin: of.coin, bbo }
}

function hasMoved(before: Book | null, now: Book): boolean {
  return !before || isMoved(before.bids[0], now.bids[0]) || isMoved(before.asks[0], now.asks[0])
}

const isMoved = (before: Rung | undefined, now: Rung | undefined) =>
  before !== now && (before?.px !== now?.px || before?.sz !== now?.sz || before?.n !== now?.n)

function isSame(before: BboValues, now: BboValues): boolean {
  for (let at = 1; at < now.length; at++) if (before[at] !== now[at]) return false
  return true
}

const rowsOf = perWorld(({ db }) =>
  db.prepare(
    `select instrument, ${BBO_COLUMNS} from bbo where timeMs >= ? and timeMs < ?
     order by timeMs, id`,
  ),
)
