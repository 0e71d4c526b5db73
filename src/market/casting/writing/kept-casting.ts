/** Checkpoint of an interrupted casting: the part that need not be written again. */
import type { Database } from '../../world/database.ts'

export interface KeptCasting {
  /** Events of the tape whose rows are all in the file. */
  events: number
  /** Rows passed to the writer by then: as many are skipped on resumption. */
  rows: number
  /** Rows of each table, including those derived by the writer. */
  counts: Record<string, number>
}

/** Key of the checkpoint in `meta` while a world is cast. */
const KEY = 'kept'

/** Writes the checkpoint beside its rows. */
export function writeKept(db: Database, kept: KeptCasting): void {
  db.query('insert or replace into meta values (?, ?)').run(KEY, JSON.stringify(kept))
}

/** The checkpoint of a file; null where it has none or is no casting's file. */
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

/** Removes the checkpoint from a finished world. */
export function removeKept(db: Database): void {
  db.query('delete from meta where key = ?').run(KEY)
}
