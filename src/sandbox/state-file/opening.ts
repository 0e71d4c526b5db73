/** Opens a state file: what it is, whose it is and how old it is, before anything is written. */
import { Database } from 'bun:sqlite'
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { migrate } from 'drizzle-orm/bun-sqlite/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { UserError } from '../../platform/user-error.ts'
import { closeDatabase, keepLog } from './closing.ts'
import { beginLog, incompleteness } from './log-generation.ts'
import { StateFile } from './state-file.ts'

const MIGRATIONS = path.join(import.meta.dir, 'migrations')

/** Set by the first migration: other SQLite files are left alone. */
const APPLICATION_ID = 1_415_665_495

/**
 * Opens a state file, or makes it; a UserError says why that cannot be. A symbolic link is followed
 * once: SQLite keeps its log beside the file itself.
 */
export function openStateFile(named: string, migrationsFolder = MIGRATIONS): StateFile {
  const file = fileBehind(named)
  const known = existsSync(file)
  if (known && !statSync(file).isFile())
    throw new UserError(`the state file ${file} is not a file: name a file`)
  let db: Database | undefined
  let isOurs = false
  try {
    const flaw = incompleteness(file, APPLICATION_ID)
    if (flaw !== null) throw new UserError(incompleteMessage(file, flaw))
    db = new Database(file, { create: true, strict: true })
    db.exec('pragma busy_timeout = 0')
    // Small pages: a change writes each page that it touches to the log. Of new files only.
    db.exec('pragma page_size = 1024')
    keepLog(db, true)
    checkDatabase(db, file, migrationsFolder)
    isOurs = true
    // The lock is taken with the next access and kept: two servers would overwrite one another.
    db.exec('pragma locking_mode = exclusive; begin immediate; commit')
    migrate(drizzle(db), { migrationsFolder })
    // With a write-ahead log a commit without a sync outlives the process, though not a power cut.
    db.exec('pragma journal_mode = wal; pragma synchronous = normal')
    // It is folded into the file in steps of our own, which say in the file what they do.
    db.exec('pragma wal_autocheckpoint = 0; pragma journal_size_limit = 0')
    beginLog(db)
    return new StateFile(db, file, named)
  } catch (error) {
    if (db && isOurs) closeDatabase(db)
    else db?.close()
    throw error instanceof UserError ? error : (userErrorOf(file, error) ?? error)
  }
}

/** The file that a name leads to, which need not be there yet. */
function fileBehind(named: string): string {
  try {
    const file = existsSync(named) ? realpathSync(named) : linkTarget(named)
    checkNames(file)
    return file
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`the state file ${named} cannot be reached: ${(error as Error).message}`)
  }
}

/** Where a link leads whose file is not there yet; the name itself where it is none. */
function linkTarget(named: string): string {
  if (!lstatSync(named, { throwIfNoEntry: false })?.isSymbolicLink()) return named
  return linkTarget(path.resolve(path.dirname(named), readlinkSync(named)))
}

/**
 * Of a file with several names only the one that has the log beside it leads to all that was
 * stored, and a server that runs could not be told from one that uses another name.
 */
function checkNames(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  const nlink = found?.isFile() ? found.nlink : 1
  if (nlink > 1 && !existsSync(`${file}-wal`))
    throw new UserError(
      `the state file ${file} has ${nlink} names (hard links), and its log lies beside one of ` +
        'them: remove the others, or copy the file',
    )
}

function checkDatabase(db: Database, file: string, migrationsFolder: string): void {
  const tables = tableNames(db)
  if (tables.length === 0) return
  const { application_id: id } = db.query('pragma application_id').get() as Record<string, number>
  if (id !== APPLICATION_ID)
    throw new UserError(`${file} is a database of another program: name another state file`)
  const newest = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0
  const { at } = db
    .query('select max(cast(created_at as integer)) as at from __drizzle_migrations')
    .get() as { at: number | null }
  if ((at ?? 0) > newest)
    throw new UserError(
      `the state file ${file} was written by a newer version of this program: use that version`,
    )
  const { quick_check: check } = db.query('pragma quick_check(1)').get() as Record<string, string>
  if (check !== 'ok') throw new UserError(damageMessage(file, check ?? ''))
}

const tableNames = (db: Database): string[] =>
  db
    .query<{ name: string }, []>("select name from sqlite_master where type = 'table'")
    .all()
    .map(({ name }) => name)

const damageMessage = (file: string, why: string) =>
  `the state file ${file} is damaged (${why}): put a copy in its place, or name another file`

const incompleteMessage = (file: string, flaw: string) =>
  `the state file ${file} is not whole: ${flaw}; end a server before its file is copied, or ` +
  'copy both'

/** An error of SQLite as one that helps; null for what no user can correct. */
function userErrorOf(file: string, error: unknown): UserError | null {
  const { code = '', message } = error as { code?: string; message: string }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return new UserError(`the state file ${file} is in use by another server: stop that one first`)
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN'))
    return new UserError(
      `the state file ${file} cannot be written: make it and its folder writable`,
    )
  if (code.startsWith('SQLITE_FULL') || code.startsWith('SQLITE_IOERR'))
    return new UserError(
      `the state file ${file} cannot be written (${message}): check whether its disk is full`,
    )
  if (code === 'SQLITE_NOTADB') return new UserError(damageMessage(file, 'it is not a database'))
  // Only what the file says can be wrong here: the statements are ours.
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR')
    return new UserError(damageMessage(file, message))
  return null
}
