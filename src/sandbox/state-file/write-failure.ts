/** Why a state file cannot be written, in words that help. */

/** The file is not where it was. */
export class FileGoneError extends Error {
  constructor(what: string) {
    super(`${what} is not the file that was opened`)
  }
}

export interface WriteFailure {
  /** Said of the state file. */
  reason: string
  /** What would help. */
  remedy: string
  /** As SQLite or the system says it. */
  detail: string
}

/** null for what is no failure to write, but a flaw of ours. */
export function writeFailureOf(error: unknown): WriteFailure | null {
  if (error instanceof FileGoneError)
    return {
      reason: 'is gone, it was deleted, moved or replaced',
      remedy: 'put it back, with its side file, or begin a new one',
      detail: error.message,
    }
  const { code = '', message } = error as { code?: string; message: string }
  const known = FAILURES.find(([prefix]) => code.startsWith(prefix))
  if (!known) return null
  const [, reason, remedy] = known
  return { reason, remedy, detail: message.startsWith(code) ? message : `${code}: ${message}` }
}

const FAILURES: readonly (readonly [code: string, reason: string, remedy: string])[] = [
  ['SQLITE_FULL', 'finds no space on its disk', 'make room there, and it goes on by itself'],
  ['ENOSPC', 'finds no space on its disk', 'make room there, and it goes on by itself'],
  ['EDQUOT', 'finds no space in its quota', 'make room there, and it goes on by itself'],
  ['EFBIG', 'may not become so large', 'raise the limit of a file'],
  ['EROFS', 'is read-only', 'make it and its folder writable, and it goes on by itself'],
  ['EACCES', 'is read-only', 'make it and its folder writable, and it goes on by itself'],
  ['EIO', 'cannot be written to its disk', 'see to the disk: it may be full or read-only'],
  ['SQLITE_READONLY', 'is read-only', 'make it and its folder writable, and it goes on by itself'],
  ['SQLITE_CANTOPEN', 'cannot be opened', 'make it and its folder writable'],
  ['SQLITE_IOERR_SHORT_READ', 'is damaged', 'end the server and put a copy in its place'],
  ['SQLITE_IOERR', 'cannot be written to its disk', 'see to the disk: it may be full or read-only'],
  ['SQLITE_CORRUPT', 'is damaged', 'end the server and put a copy in its place'],
  ['SQLITE_NOTADB', 'is damaged', 'end the server and put a copy in its place'],
  ['SQLITE_BUSY', 'is in use by another program', 'end that one'],
  ['SQLITE_LOCKED', 'is in use by another program', 'end that one'],
  ['SQLITE_PROTOCOL', 'is in use by another program', 'end that one'],
  ['SQLITE_NOMEM', 'finds no memory', 'make memory free'],
]
