import type { ChangeLog } from '../sandbox-store.ts'
import { type SandboxState, STATE_VERSION } from '../snapshot/sandbox-state.ts'
import {
  type PartKind,
  SINGLE_ID,
  type SnapshotSource,
  STATE_PARTS,
  savedOptionsOf,
} from '../snapshot/state-parts.ts'
import { StorageError } from '../storage-status.ts'
import type { StateWriter } from './state-writer.ts'
import type { Statements } from './statements.ts'
import { storedState } from './stored-state.ts'

/** What of a sandbox has changed and is not yet in its state file. */
export class SandboxChangeLog implements ChangeLog {
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
