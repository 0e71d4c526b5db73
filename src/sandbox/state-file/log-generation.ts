/**
 * Detects whether a state file lacks its write-ahead log.
 *
 * SQLite accepts a file without its log. So each log has a number: the header of the file names the
 * log that continues it, and the first transaction of that log stores the number in a table. A file
 * whose table does not have the number of its header lacks its log. Each time everything is folded
 * into the file a new log begins: first the header gets its number, through the old log, then the
 * new log stores it. At each instant of that the number in the header is one of the two that are
 * read through the log. 0 is the number of no log.
 */
import { constants, Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** The header of a database, with its owner and the log number. */
const HEADER_BYTES = 100
const NUMBER_OFFSET = 60
const APPLICATION_OFFSET = 68

/** Why a state file is incomplete; null when it is complete, or no state file. */
export function incompleteness(file: string, applicationId: number): string | null {
  const header = headerOf(file)
  if (header?.readUInt32BE(APPLICATION_OFFSET) !== applicationId) return null
  const log = `${file}-wal`
  if (!existsSync(log) || statSync(log).size === 0) {
    const { open, logged } = readWithoutLog(file)
    if (open === logged) return null
    return `it was copied from a running server, or from one that was killed, without ${log}`
  }
  const number = header.readUInt32BE(NUMBER_OFFSET)
  const { open, logged } = readThroughLog(file)
  return number === open || number === logged ? null : `${log} belongs to another state file`
}

/** Folds the log into the file and begins a new one. */
export function beginLog(db: Database): void {
  const { number } = db.query('select (random() & 2147483647) | 1 as number').get() as Numbered
  renumber(db, number)
}

/** Folds the log into the file, which is complete without it then. */
export function endLog(db: Database): void {
  renumber(db, 0)
}

/** Begins a new log after the old one was removed from its folder, by reading it once more. */
export function resumeLog(db: Database): void {
  endLog(db)
  db.exec('pragma journal_mode = delete; pragma journal_mode = wal')
  beginLog(db)
}

/** Writes a minimum within a transaction. */
export function touchLog(db: Database): void {
  const { logged } = numbersOf(db)
  // SQLite writes nothing where a row keeps its bytes, and a full disk would go unnoticed.
  writeNumber(db, logged + 1)
  writeNumber(db, logged)
}

function renumber(db: Database, number: number): void {
  const { open, logged } = numbersOf(db)
  // It was interrupted: two steps at once would break the invariant above.
  if (open !== logged) finish(db, open)
  db.exec(`pragma user_version = ${number}`)
  finish(db, number)
}

function finish(db: Database, number: number): void {
  // "Restart", not "truncate": the log keeps its content until the new one begins.
  const { busy } = db.query('pragma wal_checkpoint(restart)').get() as { busy: number }
  if (busy !== 0) throw new Error('the log of the state file is being read')
  writeNumber(db, number)
}

function writeNumber(db: Database, number: number): void {
  db.query(
    "insert into note (name, value) values ('log', ?) " +
      'on conflict (name) do update set value = excluded.value',
  ).run(number)
}

interface Numbered {
  number: number
}

function numbersOf(db: Database): { open: number; logged: number } {
  const { user_version: open } = db.query('pragma user_version').get() as { user_version: number }
  const hasNotes = db.query("select 1 from sqlite_master where name = 'note'").get() !== null
  const logged = hasNotes
    ? (db.query("select value as number from note where name = 'log'").get() as Numbered | null)
    : null
  return { open, logged: logged?.number ?? 0 }
}

function readWithoutLog(file: string): { open: number; logged: number } {
  const db = new Database(
    `${pathToFileURL(file)}?immutable=1`,
    constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
  )
  try {
    return numbersOf(db)
  } finally {
    db.close()
  }
}

/** Read-only: closing a writable connection would fold a log that may belong elsewhere. */
function readThroughLog(file: string): { open: number; logged: number } {
  const index = `${file}-shm`
  const hadIndex = existsSync(index)
  const db = new Database(file, { readonly: true })
  try {
    return numbersOf(db)
  } finally {
    db.close()
    if (!hadIndex) rmSync(index, { force: true })
  }
}

function headerOf(file: string): Buffer | null {
  if (!existsSync(file)) return null
  const handle = openSync(file, 'r')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    return readSync(handle, header) === HEADER_BYTES ? header : null
  } finally {
    closeSync(handle)
  }
}
