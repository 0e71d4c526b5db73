import type { Database } from '../../database.ts'
import { TABLES } from '../../schema/statements.ts'
import { metaValue } from '../line-facts.ts'
import { openPositionSums } from '../open-position-sums.ts'
import { cutBooks } from './cut-books.ts'
import { cutPacked } from './cut-packed.ts'

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
 * Makes of a world what it was known to be at an instant: rows of later are gone, and what ended
 * later is open again, with what it had come to by then.
 */
export function cutWorld(db: Database, atMs: number): void {
  for (const table of MOMENTARY) db.query(`delete from "${table}" where timeMs > ?`).run(atMs)
  cutBooks(db, atMs)
  db.query('delete from position where openMs > ?').run(atMs)
  reopenOrders(db, atMs)
  reopenTwaps(db, atMs)
  reopenPositions(db, atMs)
  // Of a world that has been grown nothing is packed but what was there before.
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
