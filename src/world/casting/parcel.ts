/** Rows packed for another thread: numbers in one array, texts in another. */
import type { SQLQueryBindings } from 'bun:sqlite'
import type { TableName } from '../schema/statements.ts'
import type { Layout } from './layout.ts'
import type { Row } from './rows.ts'

export interface Parcel {
  /** Of each row its table, by its place in the layout. */
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

export class Packing {
  private readonly plans: Map<string, { place: number; columns: Layout[number]['columns'] }>
  private tables = new Uint8Array(MOST)
  private numbers = new Float64Array(MOST * WIDEST)
  private texts: string[] = []
  private rows = 0
  private at = 0

  constructor(layout: Layout) {
    this.plans = new Map(layout.map(({ name, columns }, place) => [name, { place, columns }]))
  }

  /** Whether the parcel is full now. */
  add<N extends TableName>(name: N, row: Row<N>): boolean {
    const plan = this.plans.get(name)
    if (!plan) throw new Error(`no table ${name}`)
    const { place, columns } = plan
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
  layout: Layout,
  write: (name: string, values: SQLQueryBindings[]) => void,
): void {
  const words = texts.split(BETWEEN)
  let [number, word] = [0, 0]
  for (const place of tables) {
    const { name, columns } = layout[place] as Layout[number]
    const values = columns.map(({ isText }) => {
      if (isText) return textOf(words[word++])
      const value = numbers[number++] as number
      return Number.isNaN(value) ? null : value
    })
    write(name, values)
  }
}

const textOf = (word: string | undefined) => (word === undefined || word === NOTHING ? null : word)
