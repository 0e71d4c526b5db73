/** Packs values of all traders that readers need at once (src/market/schema/packed-sections.ts). */

import { type PackedName, type PackedSection, packSections } from '../../schema/packed-sections.ts'
import {
  addEntry,
  addFill,
  CROWD,
  ENTRY_VALUES,
  type EntryValues,
  FILL_VALUES,
  type FillValues,
  isEarlier,
  type TraderRows,
} from '../../schema/trader-rows.ts'
import type { Database } from '../../world/database.ts'

/** Writes the table `packed`, after all other rows and their indexes. */
export function writePackedRows(db: Database): void {
  writePackedTraders(db)
  const { write, end } = packer(db)
  const prices = priceRows(db)
  for (const [id] of db.query('select id from instrument order by id').values())
    write('prices', id as number, [{ key: id as number, fact: 0, values: prices(id as number) }])
  end()
}

/** Writes the part of it that depends only on tables of traders. */
export function writePackedTraders(db: Database): void {
  const { write, end } = packer(db)
  const [histories, firsts] = [historiesOf(db), [] as number[]]
  for (const [trader, { firstMs, cashes, deposits, holdings }] of histories) {
    write('cash', trader, cashes.sections())
    write('deposits', trader, deposits.sections())
    write('holdings', trader, holdings.sections())
    firsts.push(trader, firstMs)
  }
  write('firsts', 0, [{ key: 0, fact: 0, values: firsts }])
  write('positions', 0, positionSections(db))
  write('liquidations', 0, columnSections(8, liquidationRows(db)))
  end()
}

function packer(db: Database) {
  const insert = db.prepare('insert into packed values (?, ?, ?)')
  return {
    write(name: PackedName, key: number, sections: PackedSection[]): void {
      if (sections.length > 0) insert.run(name, key, packSections(sections))
    },
    end: () => insert.finalize(),
  }
}

/** All positions by column. */
export const positionSections = (db: Database) => columnSections(7, valuesOf(db, POSITIONS))

type Row = readonly number[]

/**
 * All rows in order of time, one part at a time: they are stored so, which makes reading
 * sequential.
 */
const ordered = (table: string, values: string) =>
  `select ${values}, trader from ${table} where timeMs >= ?1 and (timeMs > ?1 or id > ?2)
   order by timeMs, id limit ${PART_ROWS}`

const PART_ROWS = 20_000

function* rowsOf(db: Database, table: string, values: string): Generator<EntryValues> {
  const part = db.prepare(ordered(table, values))
  let [timeMs, id] = [Number.MIN_SAFE_INTEGER, 0]
  for (;;) {
    const rows = part.values(timeMs, id) as unknown as EntryValues[]
    yield* rows
    if (rows.length < PART_ROWS) return
    ;[id, timeMs] = rows.at(-1) as unknown as [number, number]
  }
}

/** Equity history of each trader, ascending by trader. */
function historiesOf(db: Database): [trader: number, HistoryRows][] {
  const byTrader = new Map<number, HistoryRows>()
  const of = (row: EntryValues) => {
    const trader = row.at(-1) as number
    let history = byTrader.get(trader)
    if (!history) {
      history = new HistoryRows(row[1] as number)
      byTrader.set(trader, history)
    }
    return history
  }
  const entries = rowsOf(db, 'ledger', ENTRY_VALUES)
  let next = entries.next()
  for (const fill of rowsOf(db, 'fill', FILL_VALUES)) {
    for (; !next.done && isEarlier(next.value, fill); next = entries.next())
      addEntry(of(next.value), next.value)
    addFill(of(fill), fill as FillValues)
  }
  for (; !next.done; next = entries.next()) addEntry(of(next.value), next.value)
  return [...byTrader].sort(([a], [b]) => a - b)
}

class HistoryRows implements TraderRows {
  readonly cashes = new SectionBuilder()
  readonly deposits = new SectionBuilder()
  readonly holdings = new SectionBuilder()
  private readonly broughtIn = new Map<number, number>()

  constructor(readonly firstMs: number) {}

  cash(account: number, timeMs: number, after: number): void {
    this.cashes.add(account, 0, [timeMs, after])
  }

  deposit(account: number, timeMs: number, change: number): void {
    const sum = (this.broughtIn.get(account) ?? 0) + change
    this.broughtIn.set(account, sum)
    this.deposits.add(account, 0, [timeMs, sum])
  }

  holding(instrument: number, fact: number, row: readonly number[]): void {
    this.holdings.add(instrument, fact, row)
  }
}

class SectionBuilder {
  private readonly byKey = new Map<number, { key: number; fact: number; values: number[] }>()

  add(key: number, fact: number, row: readonly number[]): void {
    let section = this.byKey.get(key)
    if (!section) {
      section = { key, fact, values: [] }
      this.byKey.set(key, section)
    }
    for (const value of row) section.values.push(value)
  }

  /** Ascending by key. */
  sections(): PackedSection[] {
    return [...this.byKey.values()].sort((a, b) => a.key - b.key)
  }
}

/** The mark price, or the last trade's while there is no mark; only its changes. */
function priceRows(db: Database) {
  const firstMark = db.prepare('select min(timeMs) from mark where instrument = ?')
  const trades = db.prepare(
    `select timeMs, px from trade where instrument = ?1 and (?2 is null or timeMs < ?2)
     order by timeMs, id`,
  )
  const marks = db.prepare('select timeMs, mark from mark where instrument = ? order by timeMs, id')
  return (instrument: number): number[] => {
    const [[first = null] = []] = firstMark.values(instrument) as (number | null)[][]
    const values: number[] = []
    const rows = [...trades.values(instrument, first), ...marks.values(instrument)]
    for (const [timeMs, price] of rows as unknown as [number, number][])
      if (price !== values.at(-1)) values.push(timeMs, price)
    return values
  }
}

const POSITIONS = `select trader, instrument, openMs, closeMs, direction = 'long', leverage,
  closedPnl from position order by closeMs is null, closeMs, id`

const LIQUIDATIONS = `select timeMs, instrument, direction = 'long', sz, notional, closedPnl,
  trader from liquidation order by timeMs, id`

function liquidationRows(db: Database): Values[] {
  const [ofAny, ofOne] = [new Map<number, number>(), new Map<number, number>()]
  return valuesOf(db, LIQUIDATIONS).map((row, at) => {
    const [timeMs = 0, instrument = 0, long, sz, notional, pnl, trader] = row as Row
    const values = [timeMs, instrument, long, sz, notional, pnl] as Values
    if (trader == null) return [...values, at, at]
    // No crowd account is liquidated twice.
    if (trader === CROWD) return [...values, -1, -1]
    const ofBoth = trader * INSTRUMENTS_MOST + instrument
    return [...values, replaced(ofAny, trader, at), replaced(ofOne, ofBoth, at)]
  })
}

/** Exceeds the number of instruments. */
const INSTRUMENTS_MOST = 4096

function replaced(places: Map<number, number>, key: number, at: number): number {
  const prior = places.get(key) ?? -1
  places.set(key, at)
  return prior
}

type Values = (number | null)[]

const valuesOf = (db: Database, text: string) => db.query(text).values() as unknown as Values[]

/** Unknown values are Infinity. */
function columnSections(length: number, rows: readonly Values[]): PackedSection[] {
  return Array.from({ length }, (_, key) => ({
    key,
    fact: 0,
    values: rows.map((row) => row[key] ?? Number.POSITIVE_INFINITY),
  }))
}
