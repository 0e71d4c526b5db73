/** A world without derivable data, for transfer. */
import { writePackedRows } from '../casting/writing/packed-rows.ts'
import { LAYOUT } from '../schema/statements.ts'
import type { Database } from './database.ts'

/** Removes everything that `completeWorld` can restore. */
export function stripWorld(db: Database): void {
  for (const { name } of db.query<{ name: string }, []>(INDEXES).all())
    db.exec(`drop index "${name}"`)
  db.exec('delete from packed; vacuum')
}

/** Restores a stripped world: it answers like the original. */
export function completeWorld(db: Database): void {
  db.exec('begin')
  for (const { indexes } of LAYOUT) for (const statement of indexes) db.exec(statement)
  writePackedRows(db)
  db.exec('commit')
  db.exec('pragma analysis_limit = 400; analyze')
}

const INDEXES = "select name from sqlite_master where type = 'index' and sql is not null"
