/** Declares a query's columns once: the text of its SELECT and the type of its rows follow. */

import { Column, type GetColumnData, is, type SQL, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Quantity } from '../../decimal/quantity.ts'
import type { Database, SqlValue } from '../world/database.ts'

/**
 * Names of a row, each with the column of the schema or the expression (`sql<number>`) it is read
 * from. For a table that the query renames, use columns of drizzle's `alias(table, 'f')`.
 */
export function columns<Names extends Selected>(names: Names): Columns<Names> {
  const entries = Object.entries(names)
  let text: string | null = null
  // Built lazily: there are hundreds, and a start needs a few.
  const list = () => {
    text ??= entries.map(([name, from]) => `${textOf(from)} as "${name}"`).join(', ')
    return text
  }
  const flags = () => entries.filter(([, from]) => isFlag(from)).map(([name]) => name)
  return {
    get list() {
      return list()
    },
    names,
    prepare: (db, rest) => readerOf(db, `select ${list()} ${rest}`, flags()),
  }
}

/** A column on the far side of a `left join`: null where nothing was joined. */
export function joined<C extends Column>(column: C): SQL<GetColumnData<C, 'raw'> | null> {
  return sql<GetColumnData<C, 'raw'> | null>`${column}`
}

/** A nullable column that is never null in this query's rows: the end of an ended order. */
export function present<C extends Column>(column: C): SQL<NonNullable<GetColumnData<C, 'raw'>>> {
  return sql<NonNullable<GetColumnData<C, 'raw'>>>`${column}`
}

/** Row type of a declaration of columns. */
export type RowOf<C> = C extends Columns<infer Names> ? Rows<Names> : never

export interface Columns<Names extends Selected> {
  /** Expressions with their names, for the part between `select` and `from`. */
  readonly list: string
  /** Its declaration, for a query that selects these and more. */
  readonly names: Names
  /** `select <list>` and the rest of a statement, from `from` on, compiled once. */
  prepare<Given extends Parameter[]>(db: Database, rest: string): Reader<Rows<Names>, Given>
}

/** A compiled query; takes the values of its placeholders. */
export interface Reader<Row, Given extends Parameter[]> {
  all(...given: Given): Row[]
  /** The first row. */
  get(...given: Given): Row | null
  /** Rows, read lazily. */
  iterate(...given: Given): Iterable<Row>
}

type Parameter = string | number | boolean | null | Quantity
type Selected = Readonly<Record<string, Column | SQL>>
type Rows<Names extends Selected> = {
  -readonly [Name in keyof Names]: Names[Name] extends Column
    ? GetColumnData<Names[Name], 'query'>
    : Names[Name] extends SQL<infer Value>
      ? Value
      : never
}

const dialect = new SQLiteSyncDialect()

function textOf(from: Column | SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(sql`${from}`)
  if (params.length > 0) throw new Error(`a column cannot hold a parameter: ${text}`)
  return text
}

const isFlag = (from: Column | SQL) => is(from, Column) && from.dataType === 'boolean'

function readerOf<Row, Given extends Parameter[]>(
  db: Database,
  text: string,
  flags: readonly string[],
): Reader<Row, Given> {
  const statement = db.prepare<Row, SqlValue[]>(text)
  const read = (row: Row) => {
    const values = row as Record<string, unknown>
    for (const flag of flags) if (values[flag] !== null) values[flag] = values[flag] === 1
    return row
  }
  return {
    all(...given) {
      const rows = statement.all(...(given as SqlValue[]))
      if (flags.length > 0) for (const row of rows) read(row)
      return rows
    },
    get(...given) {
      const row = statement.get(...(given as SqlValue[]))
      return row && read(row)
    },
    *iterate(...given) {
      for (const row of statement.iterate(...(given as SqlValue[]))) yield read(row)
    },
  }
}
