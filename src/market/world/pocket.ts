/** A world without derivable data, for transfer. */
import { writePackedRows } from '../casting/writing/packed-rows.ts'
import { tableLayouts } from '../schema/statements.ts'
import type { Database } from './database.ts'

/** Removes everything that `completeWorld` can restore. */
export function stripWorld(db: Database): void {
  dropIndexes(db, () => true)
  db.exec('delete from packed; vacuum')
}

/** Restores a stripped world: it answers like the original. */
export function completeWorld(db: Database): void {
  db.exec('begin')
  for (const _ of indexWork(db));
  writePackedRows(db)
  db.exec('commit')
  db.exec(ANALYSIS)
}

/** Removes the indexes on one column: they are created in less time than it takes to load them. */
export function dropSimpleIndexes(db: Database): void {
  dropIndexes(db, (text) => !text.slice(text.indexOf('(')).includes(','))
  db.exec('vacuum')
}

/** Restores a world after `dropSimpleIndexes`, and yields after each index. */
export function* restoreSimpleIndexes(db: Database): Generator<undefined, void, void> {
  yield* indexWork(db)
  db.exec(ANALYSIS)
}

/** Creates the missing indexes. */
function* indexWork(db: Database): Generator<undefined, void, void> {
  const there = new Set(indexesOf(db).map(({ name }) => name))
  for (const statement of tableLayouts().flatMap(({ indexes }) => indexes)) {
    if (there.has(/"(\w+)"/.exec(statement)?.[1] ?? '')) continue
    db.exec(statement)
    yield
  }
}

function dropIndexes(db: Database, which: (text: string) => boolean): void {
  for (const { name, text } of indexesOf(db)) if (which(text)) db.exec(`drop index "${name}"`)
}

const indexesOf = (db: Database) => db.query<{ name: string; text: string }, []>(INDEXES).all()

const ANALYSIS = 'pragma analysis_limit = 400; analyze'

const INDEXES = "select name, sql text from sqlite_master where type = 'index' and sql is not null"
