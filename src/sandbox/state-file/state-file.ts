/** Sandboxes in one SQLite file: what is committed here outlives the process. */
import type { Database } from 'bun:sqlite'
import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { UserError } from '../../platform/user-error.ts'
import type { ChangeLog, SandboxStore, StoredSandbox } from '../sandbox-store.ts'
import { StorageError, type StorageObserver } from '../sandbox-store.ts'
import {
  parseSandboxState,
  type SandboxState,
  STATE_FORMAT,
  STATE_VERSION,
} from '../snapshot/sandbox-state.ts'
import {
  type PartKind,
  SINGLE_ID,
  type SnapshotSource,
  STATE_PARTS,
  savedOptionsOf,
} from '../snapshot/state-parts.ts'
import { closeDatabase } from './closing.ts'
import { StateWriter } from './state-writer.ts'

export class StateFile implements SandboxStore {
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
    // Under its name there may be the log of another server by now.
    if (this.writer.isInPlace) closeDatabase(this.db)
    else this.db.close()
  }

  private changeLogOf(sandbox: SnapshotSource): SandboxChangeLog {
    return new SandboxChangeLog(sandbox, this.writer, this.statements)
  }
}

const NUMBERED = 'numbered'

/** What of a sandbox has changed and is not yet in its state file. */
class SandboxChangeLog implements ChangeLog {
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
      // What was marked stays marked until it is written or undone.
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

  /** @param also is written with it */
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
    // The next name and the next id are in the sandbox's progress.
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

/** More marks of a kind than this: all of the sandbox is written. */
const MARKS_MAX = 10_000

/** A sandbox from its rows; a UserError says what of them cannot be read. */
function storedState(
  { id, version, world, options, from }: typeof sandboxTable.$inferSelect,
  rows: (typeof partTable.$inferSelect)[],
): StoredSandbox {
  const parts = Object.groupBy(rows, ({ kind }) => kind)
  const all = (kind: PartKind) => (parts[kind] ?? []).map(({ value }) => JSON.parse(value))
  const [progress] = all('progress')
  const [venueWeight = null] = all('venueWeight')
  const state = parseSandboxState({
    format: STATE_FORMAT,
    version,
    world,
    options: JSON.parse(options),
    progress,
    venueWeight,
    keys: all('key'),
    distributors: all('distributor'),
    invites: all('invite'),
    alerts: all('alert'),
    usage: all('usage'),
    nonces: all('nonce'),
  })
  return { id, state, snapshot: from === null ? null : parseSandboxState(JSON.parse(from)) }
}

/**
 * The statements of a state file. Reading goes through drizzle; the writes of every request are
 * prepared once, because building them would cost more than they do.
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

// The tables of a state file. What is in them is made by the migrations beside this file.

/** Sandboxes, in the order in which they were made. */
const sandboxTable = sqliteTable('sandbox', {
  place: integer().primaryKey(),
  id: text().notNull().unique(),
  /** Version of the form of its parts. */
  version: integer().notNull(),
  /** Tape digest and seed. */
  world: text().notNull(),
  /** The options that it was made with, JSON. */
  options: text('made').notNull(),
  /** The snapshot that it was made from, JSON. */
  from: text(),
})

/** The state of each sandbox, each part as JSON; `place` is the order of making. */
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

/** What belongs to no sandbox. */
const counterTable = sqliteTable('note', {
  name: text().primaryKey(),
  value: integer().notNull(),
})
