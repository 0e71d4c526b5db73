import { UserError } from '../../../platform/user-error.ts'
import type { UnknownRecord } from '../../unknown-record.ts'
import { csvCells, delimiterOf } from '../csv-cells.ts'
import type { Sample } from '../sample.ts'
import type { TableRow } from '../table-row.ts'

/** A record: the cells of a row, or an object. */
export type MappedRecord = TableRow | UnknownRecord

/** Reads one field of a record as a text; null where it is empty or missing. */
export type Field = (record: MappedRecord) => string | null

/** Finds the fields that a mapping names in the records of one file. */
export interface FieldAccess {
  /** A column or path; a `UserError` where a table has no such column. */
  field(name: string | number): Field
  has(name: string): boolean
  /** A list in an object. */
  list(name: string | number): (record: MappedRecord) => readonly unknown[]
}

/** Columns of a table by name, or by place from 0 where it has no header; paths in objects. */
export function fieldAccess(sample: Sample): FieldAccess {
  return sample.container === 'table' ? tableAccess(sample) : objectAccess(sample)
}

function tableAccess({ columns, line }: Sample): FieldAccess {
  const place = (name: string | number): number => {
    if (columns === null) return /^\d+$/.test(String(name)) ? Number(name) : -1
    return columns.indexOf(String(name))
  }
  const known = columns?.join(', ') ?? `none, only numbers of columns, from 0: ${line}`
  return {
    has: (name) => place(name) >= 0,
    field(name) {
      const at = place(name)
      if (at < 0) throw new UserError(`has no column "${name}"; it has ${known}`)
      return (record) => textOf((record as TableRow).cell(at))
    },
    list(name) {
      throw new UserError(`has no list "${name}": a table has columns, such as px: bid_px_{n}`)
    },
  }
}

const objectAccess = ({ record }: Sample): FieldAccess => ({
  // Of objects only the first can tell what there is.
  has: (name) => valueAt(record, pathOf(name)) !== undefined,
  field(name) {
    const path = pathOf(name)
    return (record) => textOf(valueAt(record, path))
  },
  list(name) {
    const path = pathOf(name)
    return (record) => {
      const value = valueAt(record, path)
      if (Array.isArray(value)) return value
      throw new UserError(`has no list in "${name}"`)
    }
  },
})

/** `data.bids.0.px` and `data.bids[0].px` are the same. */
export const pathOf = (name: string | number): readonly string[] =>
  String(name)
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.')

/** What a path leads to; a field may have the whole path for its name. */
export function valueAt(record: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return record
  if (typeof record !== 'object' || record === null) return undefined
  const whole = path.join('.')
  if (path.length > 1 && Object.hasOwn(record, whole)) return (record as UnknownRecord)[whole]
  const [first = '', ...rest] = path
  return Object.hasOwn(record, first) ? valueAt((record as UnknownRecord)[first], rest) : undefined
}

/** Numbers, words and truth as they would stand in a table. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** The names that a mapping could use: columns, or the paths of the fields of a first record. */
export function fieldNames({ container, columns, record, line }: Sample): string[] {
  if (columns !== null) return [...columns]
  if (record !== null) return leafPaths(record, '')
  if (container !== 'table') return []
  return csvCells(line, delimiterOf(line)).map((_, at) => String(at))
}

function leafPaths(record: UnknownRecord, before: string, depth = 0): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const path = `${before}${name}`
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord && depth < 4 ? leafPaths(value as UnknownRecord, `${path}.`, depth + 1) : [path]
  })
}
