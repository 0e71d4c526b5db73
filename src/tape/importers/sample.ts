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
  /** The frame or record in the first line, without the clock before it; null when it is none. */
  frame: UnknownRecord | null
}

/** How messages show what was understood of a first line. */
export function sampleText({ container, columns, line, frame }: Sample): string {
  if (container === 'har') return 'a HAR document'
  if (container === 'table')
    return columns ? `columns ${columns.slice(0, 40).join(', ')}` : `a row without header, ${line}`
  return frame ? `JSON with ${fieldText(frame)}` : `text, ${excerptOf(line)}`
}

const fieldText = (frame: UnknownRecord): string => {
  const names = Object.keys(frame)
  return names.length === 0 ? 'no fields' : `the fields ${names.slice(0, 40).join(', ')}`
}
