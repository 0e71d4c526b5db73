/** Packs what readers need of all traders at once (src/world/schema/packed-sections.ts). */

import { crowdAccount } from '../../crowd-address.ts'
import type { Database } from '../../database.ts'
import { CROWD } from '../../schema/crowd.ts'
import { type PackedName, type PackedSection, packSections } from '../../schema/packed-sections.ts'
import {
  addEntry,
  addFill,
  ENTRY_VALUES,
  type EntryValues,
  FILL_VALUES,
  type FillValues,
  isEarlier,
  type TraderRows,
} from '../../schema/trader-rows.ts'

/** Writes the table `packed`; all other rows and their indexes are there. */
export function writePackedRows(db: Database): void {
  const insert = db.prepare('insert into packed values (?, ?, ?)')
  const write = (name: PackedName, key: number, sections: PackedSection[]) => {
    if (sections.length > 0) insert.run(name, key, packSections(sections))
  }
  const histories = traderSections(db)
  for (const [trader] of db.query('select id from trader order by id').values())
    for (const [name, sections] of histories(trader as number))
      write(name, trader as number, sections)
  write('firsts', 0, [{ key: 0, fact: 0, values: firstRows(db) }])
  const prices = priceRows(db)
  for (const [id] of db.query('select id from instrument order by id').values())
    write('prices', id as number, [{ key: id as number, fact: 0, values: prices(id as number) }])
  write('positions', 0, columnSections(7, valuesOf(db, POSITIONS)))
  write('liquidations', 0, columnSections(8, liquidationRows(db)))
  insert.finalize()
}

const FIRSTS = `select trader, min(timeMs) from (select trader, timeMs from fill union all
  select trader, timeMs from ledger) group by trader`

const firstRows = (db: Database) => (db.query(FIRSTS).values() as unknown as Row[]).flat()

type Row = readonly number[]

const FILLS = `select ${FILL_VALUES} from fill where trader = ? order by timeMs, id`
const ENTRIES = `select ${ENTRY_VALUES} from ledger where trader = ? order by timeMs, id`

function traderSections(db: Database) {
  const [fills, entries] = [db.prepare(FILLS), db.prepare(ENTRIES)]
  return (trader: number): [PackedName, PackedSection[]][] => {
    const history = new HistoryRows()
    const moves = entries.values(trader) as unknown as EntryValues[]
    let at = 0
    for (const fill of fills.values(trader) as unknown as FillValues[]) {
      for (; at < moves.length && isEarlier(moves[at] as EntryValues, fill); at++)
        addEntry(history, moves[at] as EntryValues)
      addFill(history, fill)
    }
    for (; at < moves.length; at++) addEntry(history, moves[at] as EntryValues)
    return [
      ['cash', history.cashes.sections()],
      ['deposits', history.deposits.sections()],
      ['holdings', history.holdings.sections()],
    ]
  }
}

class HistoryRows implements TraderRows {
  readonly cashes = new SectionBuilder()
  readonly deposits = new SectionBuilder()
  readonly holdings = new SectionBuilder()
  private readonly broughtIn = new Map<number, number>()

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
    const section = this.byKey.get(key) ?? { key, fact, values: [] }
    this.byKey.set(key, section)
    section.values.push(...row)
  }

  /** By key, rising. */
  sections(): PackedSection[] {
    return [...this.byKey.values()].sort((a, b) => a.key - b.key)
  }
}

/** The mark price; that of the last trade while there is no mark. Only where it changes. */
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
  trader, oid from liquidation order by timeMs, id`

function liquidationRows(db: Database): Values[] {
  const [ofAny, ofOne] = [new Map<string, number>(), new Map<string, number>()]
  return valuesOf(db, LIQUIDATIONS).map(([timeMs = 0, instrument = 0, ...row], at) => {
    const [trader = null, oid = null] = row.splice(-2)
    if (trader === null) return [timeMs, instrument, ...row, at, at]
    // Orders of the crowd tell its accounts apart.
    const account = trader === CROWD && oid !== null ? `crowd ${crowdAccount(oid)}` : `${trader}`
    const priors = [replaced(ofAny, account, at), replaced(ofOne, `${account}/${instrument}`, at)]
    return [timeMs, instrument, ...row, ...priors]
  })
}

function replaced(places: Map<string, number>, key: string, at: number): number {
  const prior = places.get(key) ?? -1
  places.set(key, at)
  return prior
}

type Values = (number | null)[]

const valuesOf = (db: Database, text: string) => db.query(text).values() as unknown as Values[]

/** What is not known is Infinity. */
function columnSections(length: number, rows: readonly Values[]): PackedSection[] {
  return Array.from({ length }, (_, key) => ({
    key,
    fact: 0,
    values: rows.map((row) => row[key] ?? Number.POSITIVE_INFINITY),
  }))
}
