/**
 * SQLite interface of all modules above. Bun's driver satisfies it directly, WebAssembly through
 * `wasm-database.ts`: only the code that opens a file depends on the choice.
 */
export interface Database {
  /** Source of copies: the path of the file, or the label of one in memory. */
  readonly filename: string
  /** A statement, compiled once. */
  prepare<Row = unknown, Given extends SqlValues[] = SqlValues[]>(
    text: string,
  ): Statement<Row, ListOf<Given>>
  /** The same, cached by text. */
  query<Row = unknown, Given extends SqlValues[] = SqlValues[]>(
    text: string,
  ): Statement<Row, ListOf<Given>>
  /** Executes statements without results. */
  exec(text: string): unknown
  close(): void
}

/** A compiled statement; takes the values of its placeholders, in order or by name. */
export interface Statement<Row = unknown, Given extends SqlValues[] = SqlValues[]> {
  all(...given: Given): Row[]
  /** The first row. */
  get(...given: Given): Row | null
  /** Rows, read lazily. */
  iterate(...given: Given): IterableIterator<Row>
  /** The rows as lists, in the order of the columns. */
  values(...given: Given): unknown[][]
  run(...given: Given): unknown
  finalize(): void
}

/** Value of a placeholder; safe whole numbers are SQLite integers. */
export type SqlValue = string | number | boolean | null | Uint8Array

/** One value, or those of all placeholders by name. */
export type SqlValues = SqlValue | Readonly<Record<string, SqlValue>>

// The words of Bun's own types, without which the compiler does not find that they fit.
// biome-ignore lint/suspicious/noExplicitAny: it is compared with the condition of another type
type ListOf<Given> = Given extends any[] ? Given : [Given]

/** A value of the table `meta`; null for none. */
export function metaValue(db: Database, key: string): string | null {
  return (
    db.query<{ value: string }, [string]>('select value from meta where key = ?').get(key)?.value ??
    null
  )
}

/**
 * Gives the memory of pages back that were read through a file mapping. The next reads map them
 * again, from the cache of the system. Without a mapping it does nothing.
 */
export function releaseMappedPages(db: Database): void {
  const bytes = db.query<{ mmap_size: number }>('pragma mmap_size').get()?.mmap_size ?? 0
  if (bytes > 0) db.exec(`pragma mmap_size = 0; pragma mmap_size = ${bytes}`)
}
