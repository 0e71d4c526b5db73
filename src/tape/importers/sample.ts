import { UserError } from '../../platform/user-error.ts'
import { excerptOf, type UnknownRecord } from '../recorded-data.ts'
import type { ByteSource } from '../sources/source-list.ts'
import { csvCells, delimiterOf, isHeader } from './csv-cells.ts'
import { readEnvelope } from './recorded-line.ts'

/** Container of a file: lines, the rows of a table, or a HAR document. */
export type Container = 'lines' | 'table' | 'har'

/** Beginning of a file, which determines its form. */
export interface Sample {
  /** Name of the file in messages. */
  name: string
  /** The last part of the name. */
  base: string
  /** Its first non-empty line; for a binary table, its columns. */
  line: string
  container: Container
  /** Names of the columns; null where the first line is a row already. */
  columns: readonly string[] | null
  /** The JSON object in the first line, after a clock or not; null for none. */
  record: UnknownRecord | null
  /** The exchange's frame in it, unwrapped. */
  frame: UnknownRecord | null
}

/** Text about a first line for messages. */
export function sampleText({ container, columns, line, record }: Sample): string {
  if (container === 'har') return 'a HAR document'
  if (container === 'table')
    return columns ? `columns ${columns.slice(0, 40).join(', ')}` : `a row without header, ${line}`
  return record ? `JSON with ${fieldText(record)}` : `text, ${excerptOf(line)}`
}

const fieldText = (record: UnknownRecord): string => {
  const names = Object.keys(record)
  return names.length === 0 ? 'no fields' : `the fields ${names.slice(0, 40).join(', ')}`
}

/** Beginning of a HAR document; it may be one long line. */
export const HAR = /^\s*\{\s*"log"\s*:\s*\{/

const CALLED: Record<Container, string> = {
  lines: 'lines of JSON',
  table: 'a table',
  har: 'a HAR document',
}

/** Refuses a file whose container does not match the form named for it. */
export function checkContainer(sample: Sample, wanted: Container | undefined): void {
  if (wanted === undefined || wanted === sample.container) return
  throw new UserError(
    `${sample.name}: is not ${CALLED[wanted]}, which the form named with --from is read from: ` +
      sampleText(sample),
  )
}

/** Sample of a first line; a JSON list is a `UserError`. */
export function sampleOf(
  { name, base }: ByteSource,
  line: string,
  wanted: Container | undefined,
): Sample {
  const bare: Sample = {
    name,
    base,
    line,
    container: 'lines',
    columns: null,
    record: null,
    frame: null,
  }
  if (HAR.test(line)) return { ...bare, container: 'har' }
  // The archive's fills are lists, one a line.
  if (line.startsWith('["0x')) return bare
  const listed = line.startsWith('[') ? listCells(line) : null
  if (listed !== null) return { ...bare, container: 'table', line: listed.map(quotedCell).join() }
  if (LINES.test(line)) {
    const record = recordIn(line)
    if (record !== null && isByColumns(record)) throw new UserError(`${name}: ${BY_COLUMNS}`)
    return { ...bare, record, frame: frameIn(line) }
  }
  const cells = cellsIn(line)
  // The first of many lines may be the invalid one to tolerate.
  if (cells.length < 2 || wanted === 'lines') return bare
  return { ...bare, container: 'table', columns: isHeader(cells) ? cells : null }
}

const BY_COLUMNS =
  'is JSON by columns: write a record a line first, such as with pandas: ' +
  'to_json(other, orient="records", lines=True)'

/** Whether a document has a list or an object for each column, as notebooks write tables. */
function isByColumns(record: UnknownRecord): boolean {
  const fields = Object.entries(record)
  if (fields.length < 2) return false
  if (Array.isArray(record.columns) && Array.isArray(record.data)) return true
  const lengths = fields.map(([, column]) => columnLength(column))
  return lengths.every((length) => length > 1 && length === lengths[0])
}

/** Number of the values of a column; 0 where it is none. */
function columnLength(column: unknown): number {
  if (typeof column !== 'object' || column === null) return 0
  const values: unknown[] = Object.values(column)
  const isNumbered = Object.keys(column).every((key, at) => key === String(at))
  return isNumbered && values.every((value) => typeof value !== 'object') ? values.length : 0
}

/** The items of a JSON list as cells of a row without a header; null for anything else. */
export function listCells(line: string): string[] | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  return Array.isArray(value) ? value.map(cellOf) : null
}

/** Cell text of a list item. */
export const cellOf = (item: unknown): string => {
  if (typeof item === 'string') return item
  return item === null || item === undefined ? '' : JSON.stringify(item)
}

const quotedCell = (cell: string): string =>
  /[",\s]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** A document that is a list of records, and not one of many lines. */
export const LIST = /^\s*\[\s*[[{]/

/** A document that is one object over several lines, as tools print it for people. */
export const OBJECT = /^\s*\{\s*[\r\n]/

/** JSON, alone or after a clock. */
const LINES = /^(?:\d{13,19} |\d{4}-\d\d-\d\d\S* ?[\d:.]*\S*\s+)?\{/

function recordIn(line: string): UnknownRecord | null {
  try {
    return JSON.parse(line.slice(line.indexOf('{'))) as UnknownRecord
  } catch {
    return null
  }
}

function frameIn(line: string): UnknownRecord | null {
  try {
    return readEnvelope(line).frame
  } catch {
    return null
  }
}

function cellsIn(line: string): string[] {
  try {
    return csvCells(line, delimiterOf(line))
  } catch {
    return []
  }
}
