/** A database in SQLite compiled to WebAssembly: what runs where there is no Bun. */
import type { Database, SqlValues, Statement } from '../database.ts'
import type { WasmFiles } from './wasm-files.ts'
import { type WasmSqlite, withText } from './wasm-sqlite.ts'
import { WasmStatement } from './wasm-statement.ts'

export class WasmDatabase implements Database {
  private readonly pointer: number
  /** Its file; null when it is in memory. */
  private readonly path: string | null
  private readonly statements = new Set<WasmStatement>()
  private readonly known = new Map<string, WasmStatement>()

  /**
   * @param filename what others call it; nothing of that name is read or written
   * @param content the bytes of a database file; empty when left out
   * @param files where it lies, with its copies; in memory when left out, or nothing is free there
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

  /** The same one, called otherwise. */
  named(filename: string): WasmDatabase {
    return Object.create(this, { filename: { value: filename, enumerable: true } })
  }

  /** Another one with the same content. */
  copy(filename: string): WasmDatabase {
    const copy = new WasmDatabase(this.sqlite, filename, undefined, this.files)
    copyInto(this.sqlite, copy.pointer, this.pointer)
    return copy
  }

  /** Another one in memory, in which there is nothing. */
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

/** @param vfs where the file is; the usual one when left out */
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

/** Pages are taken over one by one: a database that is one block grows by twice its length. */
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

/** Room for a pointer that a call gives back. */
function withSlot<T>({ exports }: WasmSqlite, use: (slot: number) => T): T {
  const slot = exports.sqlite3_malloc(8)
  try {
    return use(slot)
  } finally {
    exports.sqlite3_free(slot)
  }
}

/** What is in a file outlives no page, and nobody else has it: nothing is written twice. */
const IN_FILE = `pragma locking_mode = exclusive; pragma journal_mode = memory;
  pragma synchronous = off; pragma temp_store = memory; pragma cache_size = -4096`
const ALL_PAGES = -1
const [READ_WRITE, CREATE] = [2, 4]
const FREE_ON_CLOSE = 1
const READ_ONLY = 4
