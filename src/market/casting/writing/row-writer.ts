import type { BarColumns } from '../../bars/past-bars.ts'
import type { TableName } from '../../schema/statements.ts'
import type { TableLayouts } from '../../schema/table-layout.ts'
import type { Database, SqlValue } from '../../world/database.ts'
import { type BarDrawing, drawBars } from '../history/drawn-bars.ts'
import { type DerivedRows, deriveRows } from './derived-rows.ts'
import { readKept, removeKept, writeKept } from './kept-casting.ts'
import { writePackedRows } from './packed-rows.ts'
import type { TableRow } from './row-sink.ts'
import { TableInsert } from './table-insert.ts'
import type { WorldSink } from './world-sink.ts'

/**
 * Writes the rows of a new world: in one transaction, or, for a durable file, in one for each call
 * of `keep`. A file with a checkpoint is continued.
 */
export class RowWriter implements WorldSink {
  readonly finalMs = Number.NEGATIVE_INFINITY
  readonly counts: Record<string, number> = {}
  /** In the order of the layout. */
  private readonly inserts: NamedInsert[] = []
  private readonly byName = new Map<string, NamedInsert>()
  private isIndexed = false

  constructor(
    private readonly db: Database,
    private readonly layout: TableLayouts,
    lasts = false,
  ) {
    // The file is opened only when complete: a temporary one need not survive a crash, and a
    // durable one only that of its process.
    db.exec(`pragma page_size = 8192; pragma journal_mode = ${lasts ? 'truncate' : 'off'}`)
    db.exec('pragma synchronous = off; pragma locking_mode = exclusive')
    db.exec('pragma cache_size = -65536; pragma temp_store = memory')
    const kept = lasts ? readKept(db) : null
    this.isIndexed = kept !== null
    db.exec('begin')
    for (const { name, create, columns } of layout) {
      if (kept === null) db.exec(create)
      const names = columns.map((column) => column.name)
      const insert = { name, table: new TableInsert(db, name, names) }
      this.inserts.push(insert)
      this.byName.set(name, insert)
      this.counts[name] = kept?.counts[name] ?? 0
    }
  }

  add<N extends TableName>(name: N, row: TableRow<N>): void {
    const insert = this.byName.get(name)
    if (!insert) throw new Error(`no table ${name}`)
    insert.table.add(row as Record<string, SqlValue>)
    this.count(name)
  }

  derive(order: DerivedRows): void {
    deriveRows(order, (name, row) => this.add(name, row))
  }

  draw(drawing: BarDrawing): BarColumns {
    return drawBars(drawing)
  }

  settled(): void {
    this.flush()
  }

  /**
   * Writes one row of a table by its index in the layout, as its values in the order of the
   * columns.
   */
  write(place: number, values: readonly SqlValue[]): void {
    const { name, table } = this.inserts[place] as NamedInsert
    table.addValues(values)
    this.count(name)
  }

  createIndexes(): void {
    if (this.isIndexed) return
    this.isIndexed = true
    this.flush()
    for (const { indexes } of this.layout) for (const statement of indexes) this.db.exec(statement)
  }

  drain(): undefined {
    return undefined
  }

  reached(): void {}

  /** Commits a checkpoint after a number of events. */
  keep(events: number, rows: number): void {
    this.flush()
    writeKept(this.db, { events, rows, counts: this.counts })
    this.db.exec('commit; begin')
  }

  finish(): void {
    this.createIndexes()
    this.flush()
    for (const { table } of this.inserts) table.finalize()
    removeKept(this.db)
    writePackedRows(this.db)
    this.db.exec('commit')
    this.db.exec('pragma analysis_limit = 400; analyze')
    // Closing alone keeps the lock until the statements are collected; the next access releases it.
    this.db.exec('pragma locking_mode = normal; select count(*) from sqlite_master')
  }

  private flush(): void {
    for (const { table } of this.inserts) table.flush()
  }

  private count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }
}

interface NamedInsert {
  name: string
  table: TableInsert
}

/** Rows packed for another thread: numbers in one array, texts in another. */
export interface RowBatch {
  /** Table of each row, by its index in the layout. */
  tables: Uint8Array
  /** Numbers and text indexes of each row, in order; NaN for null. */
  numbers: Float64Array
  /** Each text of the rows once; one text is posted far faster than many. */
  texts: string
  /** Blobs of each row in the order of the columns. */
  bytes: Uint8Array[]
}

const TEXT_SEPARATOR = '\u0000'

/** Longer texts are books, which never repeat: to look them up is expensive. */
const ALIKE_LETTERS = 48

/** Rows per batch. */
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

  /** Adds a row; returns whether the batch is full now. */
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

  /** Takes what was added since the last call; its buffers are to be transferred, not copied. */
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

/** Unpacks the rows of batches. */
export class RowUnpacker {
  private readonly tables: { holds: Uint8Array; values: SqlValue[] }[]

  constructor(layout: TableLayouts) {
    this.tables = layout.map(({ columns }) => ({
      holds: Uint8Array.from(columns, ({ holds }) => HOLDS.indexOf(holds)),
      values: columns.map(() => null),
    }))
  }

  /**
   * Passes each row by its table's index and its column values: one array, reused for every row, as
   * allocation would dominate the time of writing.
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
