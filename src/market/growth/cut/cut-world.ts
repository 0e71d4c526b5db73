import { positionSections } from '../../casting/writing/packed-rows.ts'
import { BookBlockReader, type BookChange, packBook } from '../../schema/book-blocks.ts'
import {
  type PackedName,
  type PackedSection,
  packSections,
  type UnpackedSection,
  unpackSections,
} from '../../schema/packed-sections.ts'
import { TABLES } from '../../schema/statements.ts'
import { type Database, metaValue } from '../../world/database.ts'
import { openPositionSums } from '../state/known-holdings.ts'

/** Tables whose rows are facts of one instant. */
export const MOMENTARY = [
  'trade',
  'book',
  'bbo',
  'mark',
  'funding',
  'interest',
  'fill',
  'ledger',
  'liquidation',
  'orders',
  'twap',
] as const

/**
 * Cuts a world to what was known at an instant: later rows are removed, and records that ended
 * later are open again, with their values at that instant.
 */
export function cutWorld(db: Database, atMs: number): void {
  for (const table of MOMENTARY) db.query(`delete from "${table}" where timeMs > ?`).run(atMs)
  cutBooks(db, atMs)
  db.query('delete from position where openMs > ?').run(atMs)
  reopenOrders(db, atMs)
  reopenTwaps(db, atMs)
  reopenPositions(db, atMs)
  // A grown world has no packed data beyond its base.
  if (atMs < Number(metaValue(db, 'endMs'))) {
    cutPacked(db, atMs)
    db.query("update meta set value = ? where key = 'endMs'").run(String(atMs))
  }
  db.query("update meta set value = ? where key = 'counts'").run(JSON.stringify(countsOf(db)))
}

function reopenOrders(db: Database, atMs: number): void {
  db.query(
    `update orders set endMs = null, endStatus = null,
       filledSz = coalesce((select sum(sz) from fill where fill.oid = orders.oid), 0)
     where endMs > ? or endMs is null`,
  ).run(atMs)
}

function reopenTwaps(db: Database, atMs: number): void {
  const executed = (column: string) =>
    `coalesce((select sum(${column}) from fill where fill.twap = twap.id), 0)`
  db.query(
    `update twap set endMs = null, endStatus = null, executedSz = ${executed('sz')},
       executedNotional = ${executed('notional')} where endMs > ? or endMs is null`,
  ).run(atMs)
}

function reopenPositions(db: Database, atMs: number): void {
  const update = db.query(
    `update position set closeMs = null, closeFill = null, maxSz = $maxSz, openSz = $openSz,
       openNotional = $openNotional, closeSz = $closeSz, closeNotional = $closeNotional,
       closedPnl = $closedPnl, fees = $fees, funding = $funding, liquidation = $liquidation
     where id = $id`,
  )
  for (const sums of openPositionSums(db, atMs)) {
    const { id, maxSz, openSz, openNotional, closeSz, closeNotional } = sums
    const { closedPnl, fees, funding, liquidation } = sums
    const rest = { closeSz, closeNotional, closedPnl, fees, funding, liquidation }
    update.run(Object.assign({ id, maxSz, openSz, openNotional }, rest))
  }
}

function countsOf(db: Database): Record<string, number> {
  const count = (table: string) =>
    (db.query(`select count(*) as n from "${table}"`).get() as { n: number }).n
  const counted = TABLES.filter((name) => name !== 'packed')
  return Object.fromEntries(counted.map((name) => [name, count(name)]))
}

/** Values per row of packed data in order of time, the time first. */
const WIDTHS = { cash: 2, deposits: 2, holdings: 6, prices: 2 } as const

/** Removes packed data later than an instant; the table of positions is cut. */
function cutPacked(db: Database, atMs: number): void {
  for (const [name, width] of Object.entries(WIDTHS) as [PackedName, number][])
    cutSections(db, name, (section) => lengthUpTo(section, width, atMs))
  cutFirsts(db, atMs)
  cutLiquidations(db, atMs)
  put(db, 'positions', 0, positionSections(db))
}

/** Shortens sections to so many values; removes empty ones. */
function cutSections(
  db: Database,
  name: PackedName,
  lengthOf: (section: UnpackedSection) => number,
): void {
  const rows = db.query<{ key: number; columns: Uint8Array }, [string]>(
    'select key, columns from packed where name = ?',
  )
  for (const { key, columns } of rows.all(name)) {
    const sections = unpackSections(columns)
    const lengths = sections.map(lengthOf)
    if (sections.every(({ length }, at) => length === lengths[at])) continue
    const shortened = sections.map((section, at) => shortenedTo(section, lengths[at] as number))
    const left = shortened.filter(({ values }) => values.length > 0)
    put(db, name, key, left)
  }
}

/** Number of values of the rows up to an instant. */
function lengthUpTo({ data, first, length }: UnpackedSection, width: number, atMs: number): number {
  let left = length
  while (left > 0 && (data[first + left - width] as number) > atMs) left -= width
  return left
}

function cutFirsts(db: Database, atMs: number): void {
  for (const section of sectionsOf(db, 'firsts')) {
    const { values, key, fact } = shortenedTo(section, section.length)
    const isKept = (at: number) => (values[at - (at % 2) + 1] as number) <= atMs
    put(db, 'firsts', 0, [{ key, fact, values: values.filter((_, at) => isKept(at)) }])
  }
}

/** Columns exist even without rows; the first one has the times. */
function cutLiquidations(db: Database, atMs: number): void {
  const sections = sectionsOf(db, 'liquidations')
  const [times] = sections
  if (!times) return
  const length = lengthUpTo(times, 1, atMs)
  const shortened = sections.map((section) => shortenedTo(section, length))
  put(db, 'liquidations', 0, shortened)
}

function sectionsOf(db: Database, name: PackedName): UnpackedSection[] {
  const row = db
    .query<{ columns: Uint8Array }, [string]>('select columns from packed where name = ?')
    .get(name)
  return row ? unpackSections(row.columns) : []
}

const shortenedTo = (
  { key, fact, data, first }: UnpackedSection,
  length: number,
): PackedSection => {
  return { key, fact, values: Array.from(data.subarray(first, first + length)) }
}

function put(db: Database, name: PackedName, key: number, sections: PackedSection[]): void {
  const where = [name, key] as const
  if (sections.length === 0) db.query('delete from packed where name = ? and key = ?').run(...where)
  else
    db.query('insert or replace into packed values (?, ?, ?)').run(...where, packSections(sections))
}

/** Removes changes of the grown books after an instant. */
export function cutBooks(db: Database, atMs: number): void {
  db.query('delete from bookBlock where fromMs > ?').run(atMs)
  const shorten = db.query(
    'update bookBlock set toMs = $toMs, changes = $changes where rowid = $rowid',
  )
  const reaching = db.query<{ rowid: number; changes: Uint8Array }, [number]>(
    'select rowid, changes from bookBlock where toMs > ?',
  )
  for (const { rowid, changes } of reaching.all(atMs)) {
    const left = changesUpTo(changes, atMs)
    shorten.run({ rowid, toMs: left.at(-1)?.timeMs ?? atMs, changes: packBook(left) })
  }
}

function changesUpTo(changes: Uint8Array, atMs: number): BookChange[] {
  const reader = new BookBlockReader(changes)
  const level = ([px, lots, orders]: readonly [number, number, number]) => ({ px, lots, orders })
  return reader.timesMs
    .filter((timeMs) => timeMs <= atMs)
    .map((timeMs) => {
      const [bids, asks] = reader.next()
      return { timeMs, bids: bids.map(level), asks: asks.map(level) }
    })
}
