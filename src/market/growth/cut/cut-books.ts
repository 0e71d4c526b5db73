import { BookBlockReader } from '../../schema/book-block-reader.ts'
import { type BookChange, packBook } from '../../schema/book-blocks.ts'
import type { Database } from '../../world/database.ts'

/** Takes away what changed in the grown books after an instant. */
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
