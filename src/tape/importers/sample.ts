import { excerptOf, type UnknownRecord } from '../unknown-record.ts'

/** The beginning of a file, by which its form is told. */
export interface Sample {
  /** As messages call the file. */
  name: string
  /** The last part of the name. */
  base: string
  /** Its first line that is not empty; of a table without a text, its columns. */
  line: string
  /** What the file holds: lines, or the rows of a table, whose columns are known or not. */
  container: 'lines' | 'table' | 'har'
  /** Names of the columns; null where the first line is a row already. */
  columns: readonly string[] | null
  /** The JSON object in the first line, behind a clock or not; null when it is none. */
  record: UnknownRecord | null
  /** The exchange's frame in it, unwrapped. */
  frame: UnknownRecord | null
}

/** How messages show what was understood of a first line. */
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
