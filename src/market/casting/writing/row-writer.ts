import type { BarColumns } from '../../bars/bar-columns.ts'
import type { TableName } from '../../schema/statements.ts'
import type { TableLayouts } from '../../schema/table-layout.ts'
import type { Database, SqlValue, Statement } from '../../world/database.ts'
import { type BarDrawing, drawBars } from '../history/drawn-bars.ts'
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
  /** In the order of the layout. */
  private readonly inserts: TableInsert[] = []
  private readonly byName = new Map<string, TableInsert>()
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
      const insert = { name, columns: columns.map((column) => column.name), statement }
      this.inserts.push(insert)
      this.byName.set(name, insert)
      this.counts[name] = kept?.counts[name] ?? 0
    }
  }

  add<N extends TableName>(name: N, row: TableRow<N>): void {
    const insert = this.byName.get(name)
    if (!insert) throw new Error(`no table ${name}`)
    const source = row as Record<string, SqlValue>
    this.insert(
      insert,
      insert.columns.map((column) => source[column] ?? null),
    )
  }

  derive(order: DerivedRows): void {
    deriveRows(order, (name, row) => this.add(name, row))
  }

  draw(drawing: BarDrawing): BarColumns {
    return drawBars(drawing)
  }

  settled(): void {}

  /** One row of a table by its place in the layout, as its values in the order of the columns. */
  write(place: number, values: readonly SqlValue[]): void {
    this.insert(this.inserts[place] as TableInsert, values)
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
    for (const { statement } of this.inserts) statement.finalize()
    removeKept(this.db)
    writePackedRows(this.db)
    this.db.exec('commit')
    this.db.exec('pragma analysis_limit = 400; analyze')
    // Closing alone keeps the lock until the statements are collected; the next access gives it up.
    this.db.exec('pragma locking_mode = normal; select count(*) from sqlite_master')
  }

  private insert({ name, statement }: TableInsert, values: readonly SqlValue[]): void {
    statement.run(...values)
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }
}

interface TableInsert {
  name: string
  columns: readonly string[]
  statement: Statement
}
