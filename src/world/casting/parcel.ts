/** Rows packed for another thread: numbers in one array, texts in another. */
import type { SQLQueryBindings } from 'bun:sqlite'
import { columnsOf, TABLES, type TableName, textColumnsOf } from '../schema/statements.ts'
import type { Row } from './rows.ts'

export interface Parcel {
  /** Of each row its table, by its place in TABLES. */
  tables: Uint8Array
  /** Of each row its numbers in the order of the columns; NaN for null. */
  numbers: Float64Array
  /** Of each row its texts in the order of the columns; one text is handed over far sooner. */
  texts: string
}

const BETWEEN = '\u0000'
const NOTHING = '\u0001'

/** Rows to a parcel. */
const MOST = 2048
const WIDEST = 32

interface Plan {
  place: number
  columns: { name: string; isText: boolean }[]
}

const PLANS = new Map<TableName, Plan>(
  TABLES.map((name, place) => {
    const texts = new Set(textColumnsOf(name))
    return [
      name,
      { place, columns: columnsOf(name).map((one) => ({ name: one, isText: texts.has(one) })) },
    ]
  }),
)

export class Packing {
  private tables = new Uint8Array(MOST)
  private numbers = new Float64Array(MOST * WIDEST)
  private texts: string[] = []
  private rows = 0
  private at = 0

  /** Whether the parcel is full now. */
  add<N extends TableName>(name: N, row: Row<N>): boolean {
    const { place, columns } = PLANS.get(name) as Plan
    this.tables[this.rows++] = place
    const source = row as Record<string, string | number | boolean | null | undefined>
    for (const column of columns) {
      const value = source[column.name]
      if (column.isText) this.texts.push((value ?? NOTHING) as string)
      else this.numbers[this.at++] = value == null ? Number.NaN : (value as number)
    }
    return this.rows === MOST
  }

  /** What was added since the last time; to be handed over, not copied. */
  take(): Parcel {
    const parcel = {
      tables: this.tables.slice(0, this.rows),
      numbers: this.numbers.slice(0, this.at),
      texts: this.texts.join(BETWEEN),
    }
    this.rows = this.at = 0
    this.texts = []
    return parcel
  }
}

/** Each row of a parcel, as the values of its columns. */
export function unpack(
  { tables, numbers, texts }: Parcel,
  write: (name: TableName, values: SQLQueryBindings[]) => void,
): void {
  const words = texts.split(BETWEEN)
  let [number, word] = [0, 0]
  for (const place of tables) {
    const name = TABLES[place] as TableName
    const values = (PLANS.get(name) as Plan).columns.map(({ isText }) => {
      if (isText) return textOf(words[word++])
      const value = numbers[number++] as number
      return Number.isNaN(value) ? null : value
    })
    write(name, values)
  }
}

const textOf = (word: string | undefined) => (word === undefined || word === NOTHING ? null : word)
