/** SQLite compiled to WebAssembly, as far as databases and statements need it. */
import load from '@sqlite.org/sqlite-wasm'
import { UserError } from '../../platform/user-error.ts'
import { type InstallPool, poolOfFiles, type WasmFiles } from './wasm-files.ts'

/** The functions of its C interface; pointers are numbers, 64-bit integers are bigints. */
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
  /** The memory, which moves when it grows: to be asked for anew after each call. */
  bytes(): Uint8Array
  /** A pointer that stands somewhere in the memory. */
  pointerAt(place: number): number
  /** Bytes where the functions find them; SQLite frees them. */
  allocated(content: Uint8Array): number
  /** Throws what a database says of a call whose result is an error. */
  check(database: number, result: number): void
  /** Opens a folder of the browser's disk for databases; rejects where it gives none. */
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
      if (OUT_OF_ROOM.includes(result & 255)) throw new UserError(noRoom(why))
      throw new Error(`SQLite: ${why}`)
    },
    async filesIn(folder) {
      if (!install) throw new Error('there is no such disk outside of browsers')
      return poolOfFiles(install, folder)
    },
  }
}

/** Of memory, of disk, and what else a disk answers when it is full: NOMEM, IOERR, FULL. */
const OUT_OF_ROOM = [7, 10, 13]

const noRoom = (why: string) =>
  `the browser has no room left for the market of this page (${why}): close other tabs, make ` +
  "room on the disk, or begin the tape anew by the option end: 'loop'"

interface Loaded {
  wasm: { exports: Functions; heap8u(): Uint8Array }
  /** Only there where a browser may have such files. */
  installOpfsSAHPoolVfs?: InstallPool
}

/** Gives a function a text, ended by 0, for as long as it runs. */
export function withText<T>(sqlite: WasmSqlite, text: string, use: (at: number) => T): T {
  const at = sqlite.allocated(encoder.encode(`${text}\0`))
  try {
    return use(at)
  } finally {
    sqlite.exports.sqlite3_free(at)
  }
}

/** The text that begins at a place and is ended by 0. */
function textAt(bytes: Uint8Array, at: number): string {
  return decoder.decode(bytes.slice(at, bytes.indexOf(0, at)))
}

function allocated(
  { exports, bytes }: Pick<WasmSqlite, 'exports' | 'bytes'>,
  content: Uint8Array,
): number {
  // Of no bytes at all there would be no pointer, which stands for null.
  const at = exports.sqlite3_malloc(Math.max(1, content.length))
  if (at === 0) throw new Error(`there is no memory for ${content.length} bytes of a database`)
  bytes().set(content, at)
  return at
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
