/** Rows packed for another thread: numbers in one array, texts in another. */

import type { TableName } from '../../schema/statements.ts'
import type { TableLayouts } from '../../schema/table-layout.ts'
import type { SqlValue } from '../../world/database.ts'
import type { TableRow } from './row-sink.ts'

export interface RowBatch {
  /** Of each row its table, by its place in the layout. */
  tables: Uint8Array
  /** Of each row its numbers and the places of its texts, in order; NaN for null. */
  numbers: Float64Array
  /** Each text of the rows once; one text is posted far faster than many. */
  texts: string
  /** Of each row its bytes in the order of the columns. */
  bytes: Uint8Array[]
}

const TEXT_SEPARATOR = '\u0000'

/** Texts of more letters are books, no two of which are alike: to look for them costs much. */
const ALIKE_LETTERS = 48

/** Rows to a batch. */
const ROWS_MAX = 2048
const COLUMNS_MAX = 32

export class RowPacker {
  private readonly tableColumns: Map<
    string,
    { place: number; columns: TableLayouts[number]['columns'] }
  >
  private tables = new Uint8Array(ROWS_MAX)
  private numbers = new Float64Array(ROWS_MAX * COLUMNS_MAX)
  private texts: string[] = []
  private readonly textPlaces = new Map<string, number>()
  private bytes: Uint8Array[] = []
  private rows = 0
  private at = 0

  constructor(layout: TableLayouts) {
    this.tableColumns = new Map(
      layout.map(({ name, columns }, place) => [name, { place, columns }]),
    )
  }

  /** Whether the batch is full now. */
  add<N extends TableName>(name: N, row: TableRow<N>): boolean {
    const table = this.tableColumns.get(name)
    if (!table) throw new Error(`no table ${name}`)
    const { place, columns } = table
    this.tables[this.rows++] = place
    const source = row as Record<string, unknown>
    for (const column of columns) {
      const value = source[column.name]
      if (column.holds === 'bytes') this.bytes.push(value as Uint8Array)
      else if (value == null) this.numbers[this.at++] = Number.NaN
      else if (column.holds === 'text') this.numbers[this.at++] = this.textPlace(value as string)
      else this.numbers[this.at++] = value as number
    }
    return this.rows === ROWS_MAX
  }

  /** What was added since the last call; its buffers are meant to be transferred, not copied. */
  take(): RowBatch {
    const batch = {
      tables: this.tables.slice(0, this.rows),
      numbers: this.numbers.slice(0, this.at),
      texts: this.texts.join(TEXT_SEPARATOR),
      bytes: this.bytes,
    }
    this.rows = this.at = 0
    this.texts = []
    this.textPlaces.clear()
    this.bytes = []
    return batch
  }

  private textPlace(text: string): number {
    if (text.length > ALIKE_LETTERS) return this.texts.push(text) - 1
    const known = this.textPlaces.get(text)
    if (known !== undefined) return known
    this.textPlaces.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }
}

/** Takes the rows of batches apart. */
export class RowUnpacker {
  private readonly tables: { holds: Uint8Array; values: SqlValue[] }[]

  constructor(layout: TableLayouts) {
    this.tables = layout.map(({ columns }) => ({
      holds: Uint8Array.from(columns, ({ holds }) => HOLDS.indexOf(holds)),
      values: columns.map(() => null),
    }))
  }

  /**
   * Each row, by the place of its table, as the values of its columns: a list that is filled anew
   * for the next row, as one for each would be what writing spends its time on.
   */
  unpack(
    { tables, numbers, texts, bytes }: RowBatch,
    write: (place: number, values: readonly SqlValue[]) => void,
  ): void {
    const strings = texts.split(TEXT_SEPARATOR)
    let [numberAt, bytesAt] = [0, 0]
    for (const place of tables) {
      const { holds, values } = this.tables[place] as (typeof this.tables)[number]
      for (let at = 0; at < holds.length; at++) {
        if (holds[at] === BYTES) {
          values[at] = bytes[bytesAt++] as Uint8Array
          continue
        }
        const value = numbers[numberAt++] as number
        if (Number.isNaN(value)) values[at] = null
        else values[at] = holds[at] === TEXT ? (strings[value] as string) : value
      }
      write(place, values)
    }
  }
}

const HOLDS = ['number', 'text', 'bytes'] as const
const [TEXT, BYTES] = [1, 2]
