/**
 * SQLite as the rooms above see it. Bun's fulfils it as it is, WebAssembly's by
 * `wasm-database.ts`: who opens a file decides, and nobody else knows.
 */
export interface Database {
  /** What another one is copied from: the path of the file, or the name of what is in memory. */
  readonly filename: string
  /** A statement, compiled once. */
  prepare<Row = unknown, Given extends SqlValues[] = SqlValues[]>(
    text: string,
  ): Statement<Row, ListOf<Given>>
  /** The same; statements of the same text are one. */
  query<Row = unknown, Given extends SqlValues[] = SqlValues[]>(
    text: string,
  ): Statement<Row, ListOf<Given>>
  /** Statements that give no rows. */
  exec(text: string): unknown
  close(): void
}

/** A compiled statement; it is given the values of its placeholders, in their order or by name. */
export interface Statement<Row = unknown, Given extends SqlValues[] = SqlValues[]> {
  all(...given: Given): Row[]
  /** The first row. */
  get(...given: Given): Row | null
  /** Row by row, for as long as the caller takes more. */
  iterate(...given: Given): IterableIterator<Row>
  /** The rows as lists, in the order of the columns. */
  values(...given: Given): unknown[][]
  run(...given: Given): unknown
  finalize(): void
}

/** What a placeholder takes; whole numbers that are exact are SQLite's integers. */
export type SqlValue = string | number | boolean | null | Uint8Array

/** One value, or those of all placeholders by their names. */
export type SqlValues = SqlValue | Readonly<Record<string, SqlValue>>

// The words of Bun's own types, without which the compiler does not find that they fit.
// biome-ignore lint/suspicious/noExplicitAny: it is compared with the condition of another type
type ListOf<Given> = Given extends any[] ? Given : [Given]
