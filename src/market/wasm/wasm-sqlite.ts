/** The used part of SQLite compiled to WebAssembly. */
import load from '@sqlite.org/sqlite-wasm'
import { UserError } from '../../platform/user-error.ts'

/** Files on a browser's disk for databases, which take no memory there. */
export interface WasmFiles {
  /** Name of their VFS. */
  readonly vfs: string
  /**
   * The path of a new file; null when the limit is reached, or it does not fit.
   *
   * @param content the bytes of a database file; without any it is created on opening
   */
  take(content: Uint8Array): string | null
  /** Releases a file whose database is closed. */
  release(path: string): void
}

/** The used part of SQLite's own package: a pool of files that are held open. */
type InstallPool = (settings: {
  name: string
  directory: string
  clearOnInit: boolean
  initialCapacity: number
}) => Promise<Pool>

interface Pool {
  getCapacity(): number
  getFileCount(): number
  importDb(path: string, content: Uint8Array): number
  unlink(path: string): boolean
}

/** The world, and forks with market events; more of them are kept in memory. */
const FILES_MOST = 6

/** Creates the store in a folder of the browser's disk; rejects where the browser has none. */
async function poolOfFiles(install: InstallPool, folder: string): Promise<WasmFiles> {
  const pool = await install({
    name: folder,
    directory: folder,
    clearOnInit: true,
    initialCapacity: FILES_MOST,
  })
  let count = 0
  return {
    vfs: folder,
    take(content) {
      if (pool.getFileCount() >= pool.getCapacity()) return null
      const path = `/${++count}`
      try {
        if (content.length > 0) pool.importDb(path, content)
        return path
      } catch {
        return null
      }
    },
    release: (path) => void pool.unlink(path),
  }
}

/** Functions of its C interface; pointers are numbers, 64-bit integers are bigints. */
type Functions = Readonly<
  Record<`sqlite3_${FunctionName}`, (...given: (number | bigint)[]) => number>
>

type FunctionName =
  | `backup_${'init' | 'step' | 'finish'}`
  | `bind_${'blob' | 'double' | 'int' | 'int64' | 'null' | 'parameter_index' | 'text'}`
  | `column_${'blob' | 'bytes' | 'count' | 'double' | 'name' | 'text' | 'type'}`
  | ('clear_bindings' | 'finalize' | 'prepare_v2' | 'reset' | 'step')
  | ('close_v2' | 'deserialize' | 'errcode' | 'errmsg' | 'exec' | 'open_v2')
  | ('free' | 'malloc')

export interface WasmSqlite {
  readonly exports: Functions
  /** The memory, which moves when it grows: read it again after each call. */
  bytes(): Uint8Array
  /** Reads a pointer from memory. */
  pointerAt(place: number): number
  /** Copies bytes into memory; SQLite frees them. */
  allocated(content: Uint8Array): number
  /** Throws the database's message when a call's result is an error. */
  check(database: number, result: number): void
  /** Opens a folder of the browser's disk for databases; rejects where there is none. */
  filesIn(folder: string): Promise<WasmFiles>
}

/**
 * Starts it.
 *
 * @param binary the module, `sqlite3.wasm` of the package `@sqlite.org/sqlite-wasm`; found by the
 * package itself where that is installed
 */
export async function loadWasmSqlite(binary?: Uint8Array<ArrayBuffer>): Promise<WasmSqlite> {
  const start = load as unknown as (settings: object) => Promise<Loaded>
  const settings = binary ? { wasmBinary: binary } : {}
  const { wasm, installOpfsSAHPoolVfs: install } = await start({
    ...settings,
    print: () => {},
    printErr: () => {},
  })
  const exports: Functions = wasm.exports
  const bytes = () => wasm.heap8u()
  return {
    exports,
    bytes,
    pointerAt: (place) => new DataView(bytes().buffer).getUint32(place, true),
    allocated: (content) => allocated({ exports, bytes }, content),
    check(database, result) {
      if (result === 0) return
      const why = database ? textAt(bytes(), exports.sqlite3_errmsg(database)) : `error ${result}`
      if (NO_SPACE_CODES.includes(result & 255)) throw new UserError(noSpaceError(why))
      throw new Error(`SQLite: ${why}`)
    },
    async filesIn(folder) {
      if (!install) throw new Error('there is no such disk outside of browsers')
      return poolOfFiles(install, folder)
    },
  }
}

/** NOMEM, IOERR, FULL: memory, disk, and another code of a full disk. */
const NO_SPACE_CODES = [7, 10, 13]

const noSpaceError = (why: string) =>
  `the browser has no room left for the market of this page (${why}): close other tabs, make ` +
  "room on the disk, or begin the tape anew by the option end: 'loop'"

interface Loaded {
  wasm: { exports: Functions; heap8u(): Uint8Array }
  /** Present only where a browser may have such files. */
  installOpfsSAHPoolVfs?: InstallPool
}

/** Passes a zero-terminated text to a function, valid while that runs. */
export function withText<T>(sqlite: WasmSqlite, text: string, use: (at: number) => T): T {
  const at = sqlite.allocated(encoder.encode(`${text}\0`))
  try {
    return use(at)
  } finally {
    sqlite.exports.sqlite3_free(at)
  }
}

/** Reads a zero-terminated text. */
function textAt(bytes: Uint8Array, at: number): string {
  return decoder.decode(bytes.slice(at, bytes.indexOf(0, at)))
}

function allocated(
  { exports, bytes }: Pick<WasmSqlite, 'exports' | 'bytes'>,
  content: Uint8Array,
): number {
  // A pointer to zero bytes would be null.
  const at = exports.sqlite3_malloc(Math.max(1, content.length))
  if (at === 0) throw new Error(`there is no memory for ${content.length} bytes of a database`)
  bytes().set(content, at)
  return at
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
