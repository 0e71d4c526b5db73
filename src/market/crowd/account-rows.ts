/** Rows in memory, in the tables of a world. */
import { writePackedTraders } from '../casting/writing/packed-rows.ts'
import type { RowSink, TableRow } from '../casting/writing/row-sink.ts'
import { LAYOUT, type TableName } from '../schema/statements.ts'
import type { Database, SqlValue, Statement } from '../world/database.ts'

export class AccountRows implements RowSink {
  readonly counts: Record<string, number> = {}
  /** Nothing is dated before the instant that is being cast. */
  finalMs = Number.NEGATIVE_INFINITY
  private readonly inserts = new Map<string, { columns: string[]; statement: Statement }>()

  constructor(private readonly db: Database) {
    // So few rows need no indexes, each of which would take a page. Tables of the market are not
    // there: a query that looks for them here fails, instead of finding nothing.
    db.exec(OWN_TABLES.map(({ create }) => create).join(';'))
    db.exec('begin')
  }

  add<N extends TableName>(name: N, row: TableRow<N>): void {
    const { columns, statement } = this.insertOf(name)
    const values = row as Record<string, SqlValue | undefined>
    statement.run(...columns.map((column) => values[column] ?? null))
  }

  /** All of it is there. */
  finish(): void {
    writePackedTraders(this.db)
    this.db.exec('commit')
    for (const { statement } of this.inserts.values()) statement.finalize()
  }

  private insertOf(name: TableName) {
    const known = this.inserts.get(name)
    if (known) return known
    const columns =
      LAYOUT.find((table) => table.name === name)?.columns.map((one) => one.name) ?? []
    const places = columns.map(() => '?').join(', ')
    const made = {
      columns,
      statement: this.db.prepare(`insert or ignore into "${name}" values (${places})`),
    }
    this.inserts.set(name, made)
    return made
  }
}

const OF_MARKET = ['book', 'bookBlock', 'bbo', 'mark', 'funding', 'interest', 'bars', 'meta']
const OWN_TABLES = LAYOUT.filter(({ name }) => !OF_MARKET.includes(name))
