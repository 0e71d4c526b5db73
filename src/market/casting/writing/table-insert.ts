import type { Database, SqlValue, Statement } from '../../world/database.ts'

/** Rows per statement: one call costs about as much as the writing of a short row. */
const ROWS = 16

/**
 * Inserts rows of one table in their order, several per statement. Rows are written once there are
 * enough of them, or by `flush`.
 */
export class TableInsert {
  private readonly one: Statement
  private readonly many: Statement
  private readonly values: SqlValue[]
  private at = 0

  /** @param onConflict the statement's upsert clause; none by default */
  constructor(
    db: Database,
    name: string,
    private readonly columns: readonly string[],
    onConflict = '',
  ) {
    const row = `(${columns.map(() => '?').join(', ')})`
    const text = (rows: number) => {
      const all = Array.from({ length: rows }, () => row).join(', ')
      return `insert into "${name}" values ${all}${onConflict}`
    }
    this.one = db.prepare(text(1))
    this.many = db.prepare(text(ROWS))
    this.values = Array.from({ length: ROWS * columns.length }, () => null)
  }

  /** Adds a row by the names of its columns; missing values are null. */
  add(row: Readonly<Record<string, SqlValue>>): void {
    const { columns, values } = this
    for (let column = 0; column < columns.length; column++)
      values[this.at++] = row[columns[column] as string] ?? null
    this.writeFull()
  }

  /** Adds a row as its values in the order of the columns. */
  addValues(row: readonly SqlValue[]): void {
    const { values } = this
    for (let column = 0; column < row.length; column++) values[this.at++] = row[column] as SqlValue
    this.writeFull()
  }

  /** Writes the rows that wait. */
  flush(): void {
    const { columns, values, at: end } = this
    this.at = 0
    for (let at = 0; at < end; at += columns.length)
      this.one.run(...values.slice(at, at + columns.length))
  }

  /** Ends it; rows that wait are dropped. */
  finalize(): void {
    this.one.finalize()
    this.many.finalize()
  }

  private writeFull(): void {
    if (this.at < this.values.length) return
    this.at = 0
    this.many.run(...this.values)
  }
}
