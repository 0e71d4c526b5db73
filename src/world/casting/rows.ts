import type { Database, SQLQueryBindings, Statement } from 'bun:sqlite'
import type { InferInsertModel } from 'drizzle-orm'
import {
  columnsOf,
  indexStatements,
  TABLES,
  type TableName,
  tableStatement,
} from '../schema/statements.ts'
import type { schema } from '../schema.ts'

type Row<N extends TableName> = Required<InferInsertModel<(typeof schema)[N]>>

/** Writes the rows of a new world in one transaction; indexes are made at the end. */
export class Rows {
  readonly counts: Record<string, number> = {}
  private readonly sinks: Record<string, { columns: string[]; statement: Statement }> = {}

  constructor(private readonly db: Database) {
    // Nobody else sees the file before it is whole, so nothing has to be safe against a crash.
    db.exec('pragma page_size = 8192; pragma journal_mode = off; pragma synchronous = off')
    db.exec(
      'pragma locking_mode = exclusive; pragma cache_size = -65536; pragma temp_store = memory',
    )
    db.exec('begin')
    for (const name of TABLES) {
      db.exec(tableStatement(name))
      const columns = columnsOf(name)
      const marks = columns.map(() => '?').join(', ')
      const statement = db.prepare(`insert into "${name}" values (${marks})`)
      this.sinks[name] = { columns, statement }
      this.counts[name] = 0
    }
  }

  add<N extends TableName>(name: N, row: Row<N>): void {
    const sink = this.sinks[name]
    if (!sink) throw new Error(`no table ${name}`)
    const values: SQLQueryBindings[] = []
    const source = row as Record<string, SQLQueryBindings>
    for (const column of sink.columns) values.push(source[column] ?? null)
    sink.statement.run(...values)
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  finish(): void {
    for (const { statement } of Object.values(this.sinks)) statement.finalize()
    for (const name of TABLES) for (const text of indexStatements(name)) this.db.exec(text)
    this.db.exec('commit')
    this.db.exec('pragma analysis_limit = 400; analyze')
  }
}
