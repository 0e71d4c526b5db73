import { SQL } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { schema } from './schema.ts'
import type { TableLayout, TableLayouts } from './table-layout.ts'

export type TableName = keyof typeof schema

/** Names of all tables. */
export const TABLES = Object.keys(schema) as TableName[]

/** The columns of a table in the order of its declaration. */
export function columnsOf(name: TableName): string[] {
  return getTableConfig(schema[name]).columns.map((column) => column.name)
}

/** `create table` of one table, from its declaration. */
export function tableStatement(name: TableName): string {
  const { columns, primaryKeys } = getTableConfig(schema[name])
  const lines = columns.map(columnText)
  for (const key of primaryKeys)
    lines.push(`primary key (${key.columns.map((column) => column.name).join(', ')})`)
  return `create table "${name}" (${lines.join(', ')}) strict`
}

/** `create index` of every index of one table. Indexes are created after the rows: far faster. */
function indexStatements(name: TableName): string[] {
  return getTableConfig(schema[name]).indexes.map(({ config }) => {
    const columns = config.columns.map((column) =>
      column instanceof SQL ? text(column) : column.name,
    )
    const where = config.where ? ` where ${text(config.where)}` : ''
    return `create index "${config.name}" on "${name}" (${columns.join(', ')})${where}`
  })
}

function columnText(column: SQLiteColumn): string {
  const parts = [`"${column.name}"`, column.getSQLType()]
  if (column.primary) parts.push('primary key')
  if (column.notNull && !column.primary) parts.push('not null')
  if (column.isUnique) parts.push('unique')
  return parts.join(' ')
}

const dialect = new SQLiteSyncDialect()

function text(part: SQL): string {
  return dialect.sqlToQuery(part).sql
}

const heldBy = (type: string) =>
  type === 'text' ? 'text' : type === 'blob' ? 'bytes' : ('number' as const)

let layouts: TableLayouts | null = null

/** All tables, as plain data. Made on first use, which a start does without. */
export function tableLayouts(): TableLayouts {
  layouts ??= TABLES.map(layoutOf)
  return layouts
}

const layoutOf = (name: TableName): TableLayout => ({
  name,
  create: tableStatement(name),
  columns: getTableConfig(schema[name]).columns.map((column) => ({
    name: column.name,
    holds: heldBy(column.getSQLType()),
  })),
  indexes: indexStatements(name),
})
