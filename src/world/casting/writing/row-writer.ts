import type { Database, SqlValue, Statement } from '../../database.ts'
import type { TableName } from '../../schema/statements.ts'
import type { TableLayouts } from '../../schema/table-layout.ts'
import { type DerivedRows, deriveRows } from './derived-rows.ts'
import { readKept, removeKept, writeKept } from './kept-casting.ts'
import { writePackedRows } from './packed-rows.ts'
import type { TableRow } from './row-sink.ts'
import type { WorldSink } from './world-sink.ts'

/**
 * Writes the rows of a new world: in one transaction, or, where the file is one that lasts, in one
 * for each call of `keep`. A file that has kept something is gone on with.
 */
export class RowWriter implements WorldSink {
  readonly finalMs = Number.NEGATIVE_INFINITY
  readonly counts: Record<string, number> = {}
  private readonly inserts: Record<string, { columns: string[]; statement: Statement }> = {}
  private isIndexed = false

  constructor(
    private readonly db: Database,
    private readonly layout: TableLayouts,
    lasts = false,
  ) {
    // Nobody opens the file before it is complete: one that does not last need not survive a crash,
    // and one that does only that of its process.
    db.exec(`pragma page_size = 8192; pragma journal_mode = ${lasts ? 'truncate' : 'off'}`)
    db.exec('pragma synchronous = off; pragma locking_mode = exclusive')
    db.exec('pragma cache_size = -65536; pragma temp_store = memory')
    const kept = lasts ? readKept(db) : null
    this.isIndexed = kept !== null
    db.exec('begin')
    for (const { name, create, columns } of layout) {
      if (kept === null) db.exec(create)
      const placeholders = columns.map(() => '?').join(', ')
      const statement = db.prepare(`insert into "${name}" values (${placeholders})`)
      this.inserts[name] = { columns: columns.map((column) => column.name), statement }
      this.counts[name] = kept?.counts[name] ?? 0
    }
  }

  add<N extends TableName>(name: N, row: TableRow<N>): void {
    const source = row as Record<string, SqlValue>
    this.write(
      name,
      this.columns(name).map((column) => source[column] ?? null),
    )
  }

  derive(order: DerivedRows): void {
    deriveRows(order, (name, row) => this.add(name, row))
  }

  settled(): void {}

  /** One row as its values, in the order of the columns. */
  write(name: string, values: readonly SqlValue[]): void {
    this.inserts[name]?.statement.run(...values)
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  createIndexes(): void {
    if (this.isIndexed) return
    this.isIndexed = true
    for (const { indexes } of this.layout) for (const statement of indexes) this.db.exec(statement)
  }

  drain(): undefined {
    return undefined
  }

  reached(): void {}

  /** What is written so far stays, whatever ends the process; so many events are done by then. */
  keep(events: number, rows: number): void {
    writeKept(this.db, { events, rows, counts: this.counts })
    this.db.exec('commit; begin')
  }

  finish(): void {
    this.createIndexes()
    for (const { statement } of Object.values(this.inserts)) statement.finalize()
    removeKept(this.db)
    writePackedRows(this.db)
    this.db.exec('commit')
    this.db.exec('pragma analysis_limit = 400; analyze')
    // Closing alone keeps the lock until the statements are collected; the next access gives it up.
    this.db.exec('pragma locking_mode = normal; select count(*) from sqlite_master')
  }

  private columns(name: TableName): string[] {
    return this.inserts[name]?.columns ?? []
  }
}
