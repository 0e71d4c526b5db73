import type { RowSink, TableRow } from '../casting/writing/row-sink.ts'
import { LAYOUT, type TableName } from '../schema/statements.ts'
import type { Database, SqlValue, Statement } from '../world/database.ts'

/** Of rows that are written while they are open, what a later writing changes. */
const CHANGING: Partial<Record<TableName, { key: string; columns: readonly string[] }>> = {
  orders: { key: 'oid', columns: ['filledSz', 'endMs', 'endStatus', 'hash'] },
  twap: { key: 'id', columns: ['endMs', 'endStatus', 'executedSz', 'executedNotional'] },
  position: {
    key: 'id',
    columns: [
      ...['closeMs', 'closeFill', 'maxSz', 'openSz', 'openNotional', 'closeSz', 'closeNotional'],
      ...['closedPnl', 'fees', 'funding', 'liquidation'],
    ],
  },
}

/** Rows of a line, added to its file; what is committed is there for readers, and for good. */
export class GrownRows implements RowSink {
  readonly counts: Record<string, number> = {}
  private readonly tables = new Map<string, GrowingTable>()
  private isOpen = false

  /** @param finalMs how far the file goes; what is added up to then is there already */
  constructor(
    private readonly db: Database,
    public finalMs: number,
    private writtenMs: number,
  ) {
    for (const { name, columns } of LAYOUT) {
      const names = columns.map((column) => column.name)
      const statement = db.prepare(insertion(name as TableName, names))
      this.tables.set(name, { columns: names, statement, values: names.map(() => null) })
      this.counts[name] = 0
    }
  }

  add<N extends TableName>(name: N, row: TableRow<N>): void {
    if (this.finalMs < this.writtenMs) return
    const table = this.tables.get(name)
    if (!table) throw new Error(`no table ${name}`)
    if (!this.isOpen) this.begin()
    const source = row as Record<string, SqlValue>
    const { columns, values } = table
    for (let at = 0; at < columns.length; at++) values[at] = source[columns[at] as string] ?? null
    table.statement.run(...values)
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  /** Has all rows up to an instant in the file, together with some facts about it. */
  commit(atMs: number, facts: Readonly<Record<string, string>>): void {
    const isNew = atMs > this.writtenMs
    this.finalMs = atMs
    if (!isNew) return
    if (!this.isOpen) this.begin()
    const set = this.db.query('insert or replace into meta values (?, ?)')
    for (const [key, value] of Object.entries(facts)) set.run(key, value)
    set.run('grownToMs', String(atMs))
    this.db.exec('commit')
    this.isOpen = false
    this.writtenMs = atMs
  }

  /** Gives up what is not committed. */
  close(): void {
    try {
      if (this.isOpen) this.db.exec('rollback')
    } catch {
      // SQLite has done so itself, as it does when there is no room left.
    }
    this.isOpen = false
    for (const { statement } of this.tables.values()) statement.finalize()
  }

  private begin(): void {
    this.db.exec('begin immediate')
    this.isOpen = true
  }
}

interface GrowingTable {
  columns: readonly string[]
  statement: Statement
  /** Of the row that is being added. */
  values: SqlValue[]
}

function insertion(name: TableName, columns: readonly string[]): string {
  const text = `insert into "${name}" values (${columns.map(() => '?').join(', ')})`
  const changing = CHANGING[name]
  if (!changing) return text
  const sets = changing.columns.map((column) => `"${column}" = excluded."${column}"`)
  return `${text} on conflict ("${changing.key}") do update set ${sets.join(', ')}`
}
