/** Reads everything that comes true in a span of the tape. This is the hot path of playing. */
import type { Happening } from '../../contract/facts.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { LEDGER_COLUMNS, type LedgerValues, ledgerUpdate } from './accounts.ts'
import { orderChanges } from './changes.ts'
import { FillHappening } from './fill-happening.ts'
import { TRADE_COLUMNS, type TradeValues, tradeWriter } from './market.ts'
import { bookQuote, streamedQuotes } from './quotes.ts'
import { tradersOf } from './traders.ts'

/** Gives the happenings with fromMs <= time < toMs in the order that Story promises. */
export function chunkReader(world: World): (fromMs: number, toMs: number) => readonly Happening[] {
  const ask = statements(world)
  return (fromMs, toMs) => {
    const marks = ask.marks.values(fromMs, toMs) as CoinValues[]
    const ledger = ask.ledger.values(fromMs, toMs) as [number, ...LedgerValues][]
    const trades = ask.trades.values(fromMs, toMs) as TradeValues[]
    const fills = (ask.fills.values(fromMs, toMs) as FillValues[]).map(fillOf)
    const resting = fills.filter(({ crossed }) => crossed === 0)
    const books = booksOf(world, ask.books.values(fromMs, toMs) as CoinValues[])
    // In this order, happenings of one instant keep their kind's rank.
    return merged([
      instants(world, marks, 'mark'),
      entriesOf(world, ledger),
      tradesOf(world, trades),
      fillsOf(world, fills),
      orderChanges(world, fromMs, toMs, resting),
      books.map(({ coin, timeMs }) => ({ kind: 'book', timeMs, coin })),
      books.flatMap((of) => bookQuote(world, of.instrument, of.timeMs) ?? []),
      streamedQuotes(world, fromMs, toMs),
    ])
  }
}

type CoinValues = [instrument: number, timeMs: number]

function statements({ db }: World) {
  const span = 'timeMs >= ? and timeMs < ?'
  const coins = (table: string) =>
    `select instrument, timeMs from ${table} where ${span} order by timeMs, id`
  return {
    marks: db.prepare(coins('mark')),
    books: db.prepare(coins('book')),
    trades: db.prepare(`select ${TRADE_COLUMNS} from trade where ${span} order by timeMs, id`),
    fills: db.prepare(
      `select id, timeMs, trader, instrument, crossed from fill where ${span} order by timeMs, id`,
    ),
    ledger: db.prepare(
      `select trader, ${LEDGER_COLUMNS} from ledger where ${span} and echo = 0 order by timeMs, id`,
    ),
  }
}

/** Lists that rise by time, as one; of one instant, earlier lists come first. */
function merged(lists: (readonly Happening[])[]): readonly Happening[] {
  const all = lists.flat()
  // The sort is stable, so within an instant the order of the lists stays.
  return all.sort((a, b) => a.timeMs - b.timeMs)
}

function instants(world: World, rows: CoinValues[], kind: 'mark'): Happening[] {
  return rows.map(([id, timeMs]) => ({
    kind,
    timeMs,
    coin: (world.instruments[id] as InstrumentRow).coin,
  }))
}

/** The trades of one coin and instant are one happening. */
function tradesOf(world: World, rows: TradeValues[]): Happening[] {
  const { write } = tradeWriter(world)
  const happenings: Extract<Happening, { kind: 'trade' }>[] = []
  const latest = new Map<string, (typeof happenings)[number]>()
  for (const row of rows) {
    const trade = write(row)
    const { coin, time } = trade
    const last = latest.get(coin)
    if (last?.timeMs === time) {
      last.trades.push(trade)
      continue
    }
    const happening = { kind: 'trade' as const, timeMs: time, coin, trades: [trade] }
    latest.set(coin, happening)
    happenings.push(happening)
  }
  return happenings
}

type FillValues = [id: number, timeMs: number, trader: number, instrument: number, crossed: number]

const fillOf = ([id, timeMs, trader, instrument, crossed]: FillValues) => ({
  id,
  timeMs,
  trader,
  instrument,
  crossed,
})

function fillsOf(world: World, fills: ReturnType<typeof fillOf>[]): Happening[] {
  const { address } = tradersOf(world)
  return fills.map(
    ({ id, timeMs, trader }) => new FillHappening(world, id, timeMs, address(trader)),
  )
}

function entriesOf(world: World, rows: [number, ...LedgerValues][]): Happening[] {
  const traders = tradersOf(world)
  return rows.map(([trader, ...values]) => ({
    kind: 'ledger',
    timeMs: values[0],
    address: traders.address(trader),
    update: ledgerUpdate(values),
  }))
}

/** Books by coin and instant: of several rows of one instant only the last can be seen. */
function booksOf(world: World, rows: CoinValues[]) {
  const books: { instrument: InstrumentRow; coin: string; timeMs: number }[] = []
  const latest = new Map<number, number>()
  for (const [id, timeMs] of rows) {
    if (latest.get(id) === timeMs) continue
    latest.set(id, timeMs)
    const instrument = world.instruments[id] as InstrumentRow
    books.push({ instrument, coin: instrument.coin, timeMs })
  }
  return books
}
