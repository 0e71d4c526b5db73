/** A database in SQLite compiled to WebAssembly, for environments without Bun. */
import type { Database, SqlValue, SqlValues, Statement } from '../world/database.ts'
import type { WasmFiles } from './wasm-sqlite.ts'
import { type WasmSqlite, withText } from './wasm-sqlite.ts'

export class WasmDatabase implements Database {
  private readonly pointer: number
  /** Its file; null when it is in memory. */
  private readonly path: string | null
  private readonly statements = new Set<WasmStatement>()
  private readonly known = new Map<string, WasmStatement>()

  /**
   * @param filename a label; no file of that name is read or written
   * @param content the bytes of a database file; empty when left out
   * @param files store of its file and of copies; in memory when left out, or when the store is
   * full
   */
  constructor(
    private readonly sqlite: WasmSqlite,
    readonly filename: string,
    content: Uint8Array = new Uint8Array(),
    private readonly files: WasmFiles | null = null,
  ) {
    this.path = files?.take(content) ?? null
    this.pointer = this.path === null ? opened(sqlite) : opened(sqlite, this.path, files?.vfs)
    if (this.path !== null) this.exec(IN_FILE)
    else if (content.length > 0) restore(sqlite, this.pointer, content)
  }

  /** The same database under another label. */
  named(filename: string): WasmDatabase {
    return Object.create(this, { filename: { value: filename, enumerable: true } })
  }

  /** A copy of the content. */
  copy(filename: string): WasmDatabase {
    const copy = new WasmDatabase(this.sqlite, filename, undefined, this.files)
    copyInto(this.sqlite, copy.pointer, this.pointer)
    return copy
  }

  /** An empty database in memory. */
  empty(): WasmDatabase {
    return new WasmDatabase(this.sqlite, 'empty')
  }

  prepare<Row, Given extends SqlValues[]>(text: string): Statement<Row, Given> {
    const { sqlite, pointer, statements } = this
    const statement = new WasmStatement(sqlite, pointer, text, () => {
      statements.delete(statement)
      if (this.known.get(text) === statement) this.known.delete(text)
    })
    statements.add(statement)
    return statement as Statement as Statement<Row, Given>
  }

  query<Row, Given extends SqlValues[]>(text: string): Statement<Row, Given> {
    const known = this.known.get(text)
    if (known) return known as Statement as Statement<Row, Given>
    const statement = this.prepare<Row, Given>(text)
    this.known.set(text, statement as Statement as WasmStatement)
    return statement
  }

  exec(text: string): void {
    const { sqlite, pointer } = this
    withText(sqlite, text, (at) =>
      sqlite.check(pointer, sqlite.exports.sqlite3_exec(pointer, at, 0, 0, 0)),
    )
  }

  close(): void {
    for (const statement of [...this.statements]) statement.finalize()
    this.sqlite.exports.sqlite3_close_v2(this.pointer)
    if (this.path !== null) this.files?.release(this.path)
  }
}

/** @param vfs VFS of the file; the default one when left out */
function opened(sqlite: WasmSqlite, name = ':memory:', vfs?: string): number {
  const { exports } = sqlite
  return withSlot(sqlite, (slot) => {
    const open = (at: number, system: number) =>
      exports.sqlite3_open_v2(at, slot, READ_WRITE | CREATE, system)
    const result = withText(sqlite, name, (at) =>
      vfs === undefined ? open(at, 0) : withText(sqlite, vfs, (system) => open(at, system)),
    )
    sqlite.check(0, result)
    return sqlite.pointerAt(slot)
  })
}

/** Pages are copied one by one: a database as one block grows by twice its length. */
function restore(sqlite: WasmSqlite, to: number, content: Uint8Array): void {
  const from = opened(sqlite)
  try {
    const { exports } = sqlite
    const bytes = sqlite.allocated(content)
    const flags = FREE_ON_CLOSE | READ_ONLY
    const { length } = content
    const deserialized = withText(sqlite, 'main', (main) =>
      exports.sqlite3_deserialize(from, main, bytes, BigInt(length), BigInt(length), flags),
    )
    sqlite.check(from, deserialized)
    copyInto(sqlite, to, from)
  } finally {
    sqlite.exports.sqlite3_close_v2(from)
  }
}

function copyInto(sqlite: WasmSqlite, to: number, from: number): void {
  const { exports } = sqlite
  withText(sqlite, 'main', (main) => {
    const backup = exports.sqlite3_backup_init(to, main, from, main)
    if (backup === 0) sqlite.check(to, exports.sqlite3_errcode(to))
    exports.sqlite3_backup_step(backup, ALL_PAGES)
    sqlite.check(to, exports.sqlite3_backup_finish(backup))
  })
}

/** Passes space for an output pointer. */
function withSlot<T>({ exports }: WasmSqlite, use: (slot: number) => T): T {
  const slot = exports.sqlite3_malloc(8)
  try {
    return use(slot)
  } finally {
    exports.sqlite3_free(slot)
  }
}

/** A file lives no longer than its page and has one user: no journal is needed. */
const IN_FILE = `pragma locking_mode = exclusive; pragma journal_mode = memory;
  pragma synchronous = off; pragma temp_store = memory; pragma cache_size = -4096`
const ALL_PAGES = -1
const [READ_WRITE, CREATE] = [2, 4]
const FREE_ON_CLOSE = 1
const READ_ONLY = 4

/** A statement of SQLite in WebAssembly; rows are read value by value from its memory. */
class WasmStatement implements Statement {
  private readonly pointer: number
  private readonly names: readonly string[]
  private isOver = false

  constructor(
    private readonly sqlite: WasmSqlite,
    private readonly database: number,
    text: string,
    private readonly forget: () => void,
  ) {
    this.pointer = compiled(sqlite, database, text)
    const { exports } = sqlite
    const count = exports.sqlite3_column_count(this.pointer)
    this.names = Array.from({ length: count }, (_, at) =>
      nameAt(sqlite, exports.sqlite3_column_name(this.pointer, at)),
    )
  }

  all(...given: SqlValues[]): unknown[] {
    return this.each(given, () => this.row())
  }

  get(...given: SqlValues[]): unknown {
    this.bind(given)
    try {
      return this.step() ? this.row() : null
    } finally {
      this.reset()
    }
  }

  *iterate(...given: SqlValues[]): IterableIterator<unknown> {
    this.bind(given)
    try {
      while (this.step()) yield this.row()
    } finally {
      this.reset()
    }
  }

  values(...given: SqlValues[]): unknown[][] {
    return this.each(given, () => this.names.map((_, at) => this.value(at)))
  }

  run(...given: SqlValues[]): void {
    this.bind(given)
    try {
      while (this.step());
    } finally {
      this.reset()
    }
  }

  finalize(): void {
    if (this.isOver) return
    this.isOver = true
    this.sqlite.exports.sqlite3_finalize(this.pointer)
    this.forget()
  }

  private each<Row>(given: readonly SqlValues[], read: () => Row): Row[] {
    this.bind(given)
    try {
      const rows: Row[] = []
      while (this.step()) rows.push(read())
      return rows
    } finally {
      this.reset()
    }
  }

  private step(): boolean {
    const result = this.sqlite.exports.sqlite3_step(this.pointer)
    if (result === ROW) return true
    if (result !== DONE) this.sqlite.check(this.database, result)
    return false
  }

  /** The step has reported the error already. */
  private reset(): void {
    if (!this.isOver) this.sqlite.exports.sqlite3_reset(this.pointer)
  }

  private row(): unknown {
    const row: Record<string, unknown> = {}
    const { names } = this
    for (let at = 0; at < names.length; at++) row[names[at] as string] = this.value(at)
    return row
  }

  private value(at: number): SqlValue {
    const { pointer, sqlite } = this
    const { exports } = sqlite
    const type = exports.sqlite3_column_type(pointer, at)
    if (type === INTEGER || type === REAL) return exports.sqlite3_column_double(pointer, at)
    if (type === NULL) return null
    if (type === TEXT) {
      const from = exports.sqlite3_column_text(pointer, at)
      return textOf(sqlite.bytes(), from, from + exports.sqlite3_column_bytes(pointer, at))
    }
    const from = exports.sqlite3_column_blob(pointer, at)
    return sqlite.bytes().slice(from, from + exports.sqlite3_column_bytes(pointer, at))
  }

  private bind(given: readonly SqlValues[]): void {
    if (this.isOver) throw new Error('the statement has been finalized')
    const { pointer, sqlite } = this
    sqlite.exports.sqlite3_reset(pointer)
    sqlite.exports.sqlite3_clear_bindings(pointer)
    const [first] = given
    if (!isNamed(first)) for (const [at, value] of given.entries()) this.set(at + 1, value)
    else
      for (const [name, value] of Object.entries(first))
        this.set(
          withText(sqlite, `$${name}`, (text) =>
            sqlite.exports.sqlite3_bind_parameter_index(pointer, text),
          ),
          value,
        )
  }

  private set(place: number, value: SqlValues): void {
    const { pointer, sqlite } = this
    sqlite.check(this.database, bound(sqlite, pointer, place, value as SqlValue))
  }
}

/** Binds like Bun's driver: whole numbers are integers, all others are floating-point. */
function bound(sqlite: WasmSqlite, pointer: number, place: number, value: SqlValue): number {
  const { exports } = sqlite
  if (value === null) return exports.sqlite3_bind_null(pointer, place)
  if (typeof value === 'boolean') return exports.sqlite3_bind_int(pointer, place, Number(value))
  if (typeof value === 'number') {
    if (Object.is(value | 0, value)) return exports.sqlite3_bind_int(pointer, place, value)
    if (Number.isSafeInteger(value) && !Object.is(value, -0))
      return exports.sqlite3_bind_int64(pointer, place, BigInt(value))
    return exports.sqlite3_bind_double(pointer, place, value)
  }
  const isText = typeof value === 'string'
  const content = isText ? encoder.encode(value) : value
  const at = sqlite.allocated(content)
  const bind = isText ? exports.sqlite3_bind_text : exports.sqlite3_bind_blob
  const result = bind(pointer, place, at, content.length, COPIED)
  exports.sqlite3_free(at)
  return result
}

function compiled(sqlite: WasmSqlite, database: number, text: string): number {
  const { exports } = sqlite
  const slot = exports.sqlite3_malloc(8)
  try {
    const prepared = withText(sqlite, text, (at) =>
      exports.sqlite3_prepare_v2(database, at, -1, slot, 0),
    )
    sqlite.check(database, prepared)
    return sqlite.pointerAt(slot)
  } finally {
    exports.sqlite3_free(slot)
  }
}

const isNamed = (value: SqlValues | undefined): value is Readonly<Record<string, SqlValue>> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

function nameAt(sqlite: WasmSqlite, at: number): string {
  const bytes = sqlite.bytes()
  return textOf(bytes, at, bytes.indexOf(0, at))
}

/** Short ASCII texts are decoded by hand, as calling a decoder takes longer. */
function textOf(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > SHORT_LETTERS) return decoder.decode(bytes.subarray(from, to))
  let text = ''
  for (let at = from; at < to; at++) {
    const letter = bytes[at] as number
    if (letter > 127) return decoder.decode(bytes.subarray(from, to))
    text += String.fromCharCode(letter)
  }
  return text
}

const SHORT_LETTERS = 24
const [INTEGER, REAL, TEXT, NULL] = [1, 2, 3, 5]
const [ROW, DONE] = [100, 101]
/** SQLITE_TRANSIENT: the value is copied before the call ends. */
const COPIED = -1
const encoder = new TextEncoder()
const decoder = new TextDecoder()
