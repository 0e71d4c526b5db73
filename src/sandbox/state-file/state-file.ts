/** Sandboxes in one SQLite file: what is committed here outlives the process. */
import type { Database } from 'bun:sqlite'
import { UserError } from '../../user-error.ts'
import type { ChangeLog, SandboxStore, StoredSandbox } from '../sandbox-store.ts'
import { parseSandboxState, STATE_FORMAT, STATE_VERSION } from '../snapshot/sandbox-state.ts'
import {
  type PartKind,
  SINGLE_ID,
  type SnapshotSource,
  STATE_PARTS,
  savedOptionsOf,
} from '../snapshot/state-parts.ts'
import { closeDatabase } from './closing.ts'
import { type Statements, statementsOf } from './statements.ts'

export class StateFile implements SandboxStore {
  private readonly statements: Statements

  constructor(
    private readonly db: Database,
    private readonly file: string,
  ) {
    this.statements = statementsOf(db)
  }

  sandboxes(): StoredSandbox[] {
    return this.statements.sandboxes().map(({ id, version, world, options, from }) => {
      try {
        const parts = Object.groupBy(this.statements.parts(id), ({ kind }) => kind)
        const all = (kind: PartKind) => (parts[kind] ?? []).map(({ value }) => JSON.parse(value))
        const [progress] = all('progress')
        const [venueWeight = null] = all('venueWeight')
        const head = {
          format: STATE_FORMAT,
          version,
          world,
          options: JSON.parse(options),
          progress,
        }
        const state = parseSandboxState({
          ...head,
          venueWeight,
          keys: all('key'),
          distributors: all('distributor'),
          invites: all('invite'),
          alerts: all('alert'),
          usage: all('usage'),
          nonces: all('nonce'),
        })
        return { id, state, snapshot: from === null ? null : parseSandboxState(JSON.parse(from)) }
      } catch (error) {
        const why = `sandbox "${id}": ${(error as Error).message}`
        throw new UserError(`the state file ${this.file} cannot be read: ${why}`)
      }
    })
  }

  get numberedCount(): number {
    return this.statements.note('numbered') ?? 0
  }

  set numberedCount(count: number) {
    this.statements.setNote('numbered', count)
  }

  add(sandbox: SnapshotSource): ChangeLog {
    const changeLog = this.reopen(sandbox)
    changeLog.markAllChanged()
    changeLog.commit()
    return changeLog
  }

  reopen(sandbox: SnapshotSource): ChangeLog {
    return new SandboxChangeLog(sandbox, this.db, this.statements)
  }

  remove(id: string): void {
    this.db.transaction(() => this.statements.forget(id)).immediate()
  }

  /** Everything is in the one file then, and other processes may open it. */
  close(): void {
    closeDatabase(this.db)
  }
}

class SandboxChangeLog implements ChangeLog {
  private changedIds = new Map<PartKind, Set<string>>()
  private isAllChanged = false
  private hasChanges = false

  constructor(
    private readonly sandbox: SnapshotSource,
    private readonly db: Database,
    private readonly statements: Statements,
  ) {}

  markChanged(kind: PartKind, id: string): void {
    const ids = this.changedIds.get(kind)
    if (ids) ids.add(id)
    else this.changedIds.set(kind, new Set([id]))
    this.hasChanges = true
  }

  markAllChanged(): void {
    this.isAllChanged = true
    this.hasChanges = true
  }

  commit(): void {
    if (!this.hasChanges) return
    this.db.exec('begin immediate')
    try {
      if (this.isAllChanged) this.writeAll()
      else this.writeChanged()
      this.db.exec('commit')
    } catch (error) {
      // What was marked stays marked: it is tried again with the next answer.
      this.db.exec('rollback')
      throw error
    }
    this.changedIds = new Map()
    this.isAllChanged = false
    this.hasChanges = false
  }

  private writeChanged(): void {
    // The next name and the next id are in the sandbox's progress.
    if (KINDS_WITH_COUNTER.some((kind) => this.changedIds.has(kind)))
      this.markChanged('progress', SINGLE_ID)
    for (const [kind, ids] of this.changedIds) for (const id of ids) this.write(kind, id)
  }

  private writeAll(): void {
    const { id, world, config } = this.sandbox
    this.statements.clear(id)
    const from = config.snapshot && JSON.stringify(config.snapshot)
    this.statements.add(
      id,
      STATE_VERSION,
      world.id,
      JSON.stringify(savedOptionsOf(this.sandbox)),
      from,
    )
    for (const kind of Object.keys(STATE_PARTS) as PartKind[])
      for (const part of STATE_PARTS[kind].ids(this.sandbox)) this.write(kind, part)
  }

  private write(kind: PartKind, id: string): void {
    const value = STATE_PARTS[kind].read(this.sandbox, id)
    if (value === undefined) this.statements.remove(this.sandbox.id, kind, id)
    else this.statements.put(this.sandbox.id, kind, id, JSON.stringify(value))
  }
}

const KINDS_WITH_COUNTER: readonly PartKind[] = ['key', 'invite', 'alert']
