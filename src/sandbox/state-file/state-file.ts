/** Sandboxes in one SQLite file: committed changes outlive the process. */
import { constants, Database } from 'bun:sqlite'
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { migrate } from 'drizzle-orm/bun-sqlite/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { UserError } from '../../platform/user-error.ts'
import {
  type ChangeLog,
  type SandboxStore,
  StorageError,
  type StorageObserver,
  type StoredSandbox,
} from '../sandbox-store.ts'
import { parseSandboxState, type SandboxState, STATE_VERSION } from '../snapshot/sandbox-state.ts'
import {
  type PartKind,
  SINGLE_ID,
  type SnapshotSource,
  STATE_PARTS,
  savedOptionsOf,
  stateOfParts,
} from '../snapshot/state-parts.ts'
import { beginLog, endLog, incompleteness } from './log-generation.ts'
import { StateWriter } from './state-writer.ts'

/** Opens a state file: checks its kind, owner and age before anything is written. */
const MIGRATIONS = path.join(import.meta.dir, 'migrations')

/** Set by the first migration: other SQLite files are left alone. */
const APPLICATION_ID = 1_415_665_495

/**
 * Opens or creates a state file; a UserError where that is impossible. A symbolic link is followed
 * once, as SQLite keeps its log beside the file itself.
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
    // Small pages, in new files: a change writes each page that it touches to the log.
    db.exec('pragma page_size = 1024')
    keepLog(db, true)
    checkDatabase(db, file, migrationsFolder)
    isOurs = true
    // The lock is taken with the next access and kept: two servers would overwrite one another.
    db.exec('pragma locking_mode = exclusive; begin immediate; commit')
    migrate(drizzle(db), { migrationsFolder })
    // With a write-ahead log a commit without a sync outlives the process, though not a power cut.
    db.exec('pragma journal_mode = wal; pragma synchronous = normal')
    // The log is folded in steps of our own, which note their progress in the file.
    db.exec('pragma wal_autocheckpoint = 0; pragma journal_size_limit = 0')
    beginLog(db)
    return new StateFile(db, file, named)
  } catch (error) {
    if (db && isOurs) closeDatabase(db)
    else db?.close()
    throw error instanceof UserError ? error : (userErrorOf(file, error) ?? error)
  }
}

/** The target of a name, which need not exist yet. */
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

/** The target of a link whose file does not exist yet; the name itself for no link. */
function linkTarget(named: string): string {
  if (!lstatSync(named, { throwIfNoEntry: false })?.isSymbolicLink()) return named
  return linkTarget(path.resolve(path.dirname(named), readlinkSync(named)))
}

/**
 * Refuses a file with several names: its log lies beside one of them only, and a running server
 * could not be recognised by another name.
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

/** A helpful error for one of SQLite; null for one that no user can correct. */
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
  // Only the content of the file can be wrong here: the statements are ours.
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR')
    return new UserError(damageMessage(file, message))
  return null
}

/**
 * Folds the log into the file and releases it; a log that cannot be folded stays beside it. Closing
 * alone does not release: the runtime keeps prepared statements until they are collected, and with
 * them the lock.
 */
function closeDatabase(db: Database): void {
  try {
    if (db.inTransaction) db.exec('rollback')
    endLog(db)
    keepLog(db, false)
    // The lock of a write-ahead log can only be given back without the log.
    db.exec('pragma journal_mode = delete; pragma locking_mode = normal')
    db.exec('select count(*) from sqlite_master')
  } catch {
    // It was unreadable from the start, or there is no space: then the log is kept.
  }
  db.close()
}

/** Whether closing keeps the log: SQLite would fold it without noting that in the file. */
function keepLog(db: Database, keep: boolean): void {
  db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, keep ? 1 : 0)
}

export class StateFile implements SandboxStore {
  readonly shared = null
  private readonly statements: Statements
  private readonly writer: StateWriter
  private isClosed = false

  constructor(
    private readonly db: Database,
    private readonly file: string,
    /** The name that it was opened by, which may be a link. */
    named = file,
  ) {
    this.statements = statementsOf(db)
    this.writer = new StateWriter(db, file, named)
  }

  get status() {
    return this.writer.status
  }

  reportTo(observer: StorageObserver): void {
    this.writer.status.reportTo(observer)
  }

  sandboxes(): StoredSandbox[] {
    return this.statements.sandboxes().map((row) => {
      try {
        return storedState(row, this.statements.parts(row.id))
      } catch (error) {
        const why = `sandbox "${row.id}": ${(error as Error).message}`
        throw new UserError(`the state file ${this.file} cannot be read: ${why}`)
      }
    })
  }

  get numberedCount(): number {
    return this.statements.note(NUMBERED) ?? 0
  }

  add(sandbox: SnapshotSource, numberedCount: number): ChangeLog {
    const changeLog = this.changeLogOf(sandbox)
    changeLog.replace(sandbox, () => this.statements.setNote(NUMBERED, numberedCount))
    return changeLog
  }

  reopen(sandbox: SnapshotSource): ChangeLog {
    return this.changeLogOf(sandbox)
  }

  remove(id: string): void {
    this.writer.write(() => this.statements.forget(id))
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.writer.status.stop()
    // Another server's log may lie under its name by now.
    if (this.writer.isInPlace) closeDatabase(this.db)
    else this.db.close()
  }

  private changeLogOf(sandbox: SnapshotSource): SandboxChangeLog {
    return new SandboxChangeLog(sandbox, this.writer, this.statements)
  }
}

const NUMBERED = 'numbered'

/** The unwritten changes of a sandbox. */
class SandboxChangeLog implements ChangeLog {
  readonly shared = null
  private changedIds = new Map<PartKind, Set<string>>()
  private isAllChanged = false
  private hasChanges = false

  constructor(
    private readonly sandbox: SnapshotSource,
    private readonly writer: StateWriter,
    private readonly statements: Statements,
  ) {}

  markChanged(kind: PartKind, id: string): void {
    this.hasChanges = true
    if (this.isAllChanged) return
    const ids = this.changedIds.get(kind)
    if (!ids) this.changedIds.set(kind, new Set([id]))
    else if (ids.size < MARKS_MAX) ids.add(id)
    else this.isAllChanged = true
  }

  commit(areCounters = false): void {
    if (!this.hasChanges) return
    try {
      this.writer.write(
        () => (this.isAllChanged ? this.writeAll() : this.writeChanged()),
        areCounters,
      )
    } catch (error) {
      // Marked parts stay marked until they are written or undone.
      this.writer.postpone(this)
      throw error
    }
    this.discard()
  }

  flush(): void {
    try {
      this.commit(true)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
    }
  }

  /** @param also is written in the same transaction */
  replace(sandbox: SnapshotSource, also: () => void = () => {}): void {
    this.writer.write(() => {
      this.writeAll(sandbox)
      also()
    })
    this.discard()
  }

  stored(): SandboxState {
    const { id } = this.sandbox
    return storedState(this.statements.sandbox(id), this.statements.parts(id)).state
  }

  discard(): void {
    this.changedIds = new Map()
    this.isAllChanged = false
    this.hasChanges = false
    this.writer.settle(this)
  }

  private writeChanged(): void {
    // The next name and the next id are part of the progress.
    if (KINDS_WITH_COUNTER.some((kind) => this.changedIds.has(kind)))
      this.markChanged('progress', SINGLE_ID)
    for (const [kind, ids] of this.changedIds) for (const id of ids) this.write(kind, id)
  }

  private writeAll(sandbox = this.sandbox): void {
    const { id, world, config } = sandbox
    this.statements.clear(id)
    const from = config.snapshot && JSON.stringify(config.snapshot)
    const options = JSON.stringify(savedOptionsOf(sandbox))
    this.statements.add(id, STATE_VERSION, world.id, options, from)
    for (const kind of Object.keys(STATE_PARTS) as PartKind[])
      for (const part of STATE_PARTS[kind].ids(sandbox)) this.write(kind, part, sandbox)
  }

  private write(kind: PartKind, id: string, sandbox = this.sandbox): void {
    const value = STATE_PARTS[kind].read(sandbox, id)
    if (value === undefined) this.statements.remove(sandbox.id, kind, id)
    else this.statements.put(sandbox.id, kind, id, JSON.stringify(value))
  }
}

const KINDS_WITH_COUNTER: readonly PartKind[] = ['key', 'invite', 'alert']

/** With more marks of a kind, the whole sandbox is written. */
const MARKS_MAX = 10_000

/** A sandbox from its rows; a UserError names the unreadable part. */
function storedState(
  { id, version, world, options, from }: typeof sandboxTable.$inferSelect,
  rows: (typeof partTable.$inferSelect)[],
): StoredSandbox {
  const state = stateOfParts({ version, world, options }, rows)
  return { id, state, snapshot: from === null ? null : parseSandboxState(JSON.parse(from)) }
}

/**
 * The statements of a state file. Reading goes through drizzle; the writes of every request are
 * prepared once, as building them would cost more than running them.
 */
type Statements = ReturnType<typeof statementsOf>

function statementsOf(db: Database) {
  const tables = drizzle(db)
  const put = db.query<void, [string, string, string, string]>(
    'insert into part (sandbox, kind, id, value) values (?, ?, ?, ?) ' +
      'on conflict (sandbox, kind, id) do update set value = excluded.value',
  )
  const remove = db.query<void, [string, string, string]>(
    'delete from part where sandbox = ? and kind = ? and id = ?',
  )
  return {
    sandboxes: () => tables.select().from(sandboxTable).orderBy(asc(sandboxTable.place)).all(),
    sandbox: (id: string) => {
      const row = tables.select().from(sandboxTable).where(eq(sandboxTable.id, id)).get()
      if (!row) throw new Error(`sandbox "${id}" is not stored`)
      return row
    },
    parts: (id: string) =>
      tables
        .select()
        .from(partTable)
        .where(eq(partTable.sandbox, id))
        .orderBy(asc(partTable.place))
        .all(),
    note: (name: string) =>
      tables.select().from(counterTable).where(eq(counterTable.name, name)).get()?.value,
    setNote: (name: string, value: number) => {
      const target = counterTable.name
      tables
        .insert(counterTable)
        .values({ name, value })
        .onConflictDoUpdate({ target, set: { value } })
        .run()
    },
    add: (id: string, version: number, world: string, options: string, from: string | null) => {
      const set = { version, world, options, from }
      const target = sandboxTable.id
      tables
        .insert(sandboxTable)
        .values({ id, ...set })
        .onConflictDoUpdate({ target, set })
        .run()
    },
    clear: (id: string) => {
      tables.delete(partTable).where(eq(partTable.sandbox, id)).run()
    },
    forget: (id: string) => {
      tables.delete(partTable).where(eq(partTable.sandbox, id)).run()
      tables.delete(sandboxTable).where(eq(sandboxTable.id, id)).run()
    },
    put: (id: string, kind: string, name: string, value: string) => put.run(id, kind, name, value),
    remove: (id: string, kind: string, name: string) => remove.run(id, kind, name),
  }
}

// The tables of a state file, created by the migrations beside this file.

/** Sandboxes, in order of creation. */
const sandboxTable = sqliteTable('sandbox', {
  place: integer().primaryKey(),
  id: text().notNull().unique(),
  /** Version of the form of its parts. */
  version: integer().notNull(),
  /** Tape digest and seed. */
  world: text().notNull(),
  /** The options that it was created with, JSON. */
  options: text('made').notNull(),
  /** The snapshot that it was made from, JSON. */
  from: text(),
})

/** The state of each sandbox, each part as JSON; `place` is the order of creation. */
const partTable = sqliteTable(
  'part',
  {
    place: integer().primaryKey(),
    sandbox: text().notNull(),
    kind: text().notNull(),
    id: text().notNull(),
    value: text().notNull(),
  },
  ({ sandbox, kind, id }) => [unique().on(sandbox, kind, id)],
)

/** Values that belong to no sandbox. */
const counterTable = sqliteTable('note', {
  name: text().primaryKey(),
  value: integer().notNull(),
})
