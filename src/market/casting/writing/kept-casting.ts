/** What a casting that was interrupted has written and need not write again. */
import type { Database } from '../../world/database.ts'

export interface KeptCasting {
  /** Events of the tape whose rows are all in the file. */
  events: number
  /** Rows that had been given to be written by then: as many must come again. */
  rows: number
  /** Rows of each table, also those that are made where rows are written. */
  counts: Record<string, number>
}

/** The row of `meta` that says so while a world is cast. */
const KEY = 'kept'

/** Writes it down, beside the rows that it tells of. */
export function writeKept(db: Database, kept: KeptCasting): void {
  db.query('insert or replace into meta values (?, ?)').run(KEY, JSON.stringify(kept))
}

/** What a file keeps; null where it is no file of a casting, or keeps nothing. */
export function readKept(db: Database): KeptCasting | null {
  try {
    const row = db
      .query<{ value: string }, [string]>('select value from meta where key = ?')
      .get(KEY)
    return row ? (JSON.parse(row.value) as KeptCasting) : null
  } catch {
    return null
  }
}

/** A finished world does not say how it was made. */
export function removeKept(db: Database): void {
  db.query('delete from meta where key = ?').run(KEY)
}
