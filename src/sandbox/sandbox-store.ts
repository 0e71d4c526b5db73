/** The interfaces for durable sandboxes. Sandboxes in memory have no store, and no cost of one. */

import type { SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'
import type { PartKind, SnapshotSource } from './snapshot/state-parts.ts'

/**
 * Stores a sandbox from now on, or one restored from the store; drops it when that fails.
 *
 * @param numberedCount number of ids made by counting; null when it is stored already
 */
export function storeSandbox(
  store: SandboxStore | null,
  sandbox: StorableSandbox,
  numberedCount: number | null,
): void {
  if (!store) return
  try {
    sandbox.changeLog =
      numberedCount === null ? store.reopen(sandbox) : store.add(sandbox, numberedCount)
  } catch (error) {
    sandbox.drop()
    throw error
  }
}

interface StorableSandbox extends SnapshotSource {
  changeLog: ChangeLog | null
  drop(): void
}

/** The change log of one sandbox. A write that fails is a StorageError and writes nothing. */
export interface ChangeLog {
  /** A part was created, changed or removed. */
  markChanged(kind: PartKind, id: string): void
  /** Writes the marked parts; a response after this is durable. */
  commit(): void
  /** Writes the marked parts if possible: otherwise they stay marked, and the store reports it. */
  flush(): void
  /** Replaces everything stored of this sandbox by one of the same id. */
  replace(sandbox: SnapshotSource): void
  /** The stored state. */
  stored(): SandboxState
  /** Discards the marks of undone changes. */
  discard(): void
}

/** The store of all sandboxes. A write that fails is a StorageError and writes nothing. */
export interface SandboxStore {
  readonly status: StorageStatus
  /** Notifies the observer when storage begins to fail and when it recovers. */
  reportTo(observer: StorageObserver): void
  /** The stored sandboxes, in order of creation. */
  sandboxes(): StoredSandbox[]
  /** Number of ids made by counting. */
  readonly numberedCount: number
  /** Stores a sandbox from now on, in place of any other of its id. */
  add(sandbox: SnapshotSource, numberedCount: number): ChangeLog
  /** Continues storing a sandbox that was restored. */
  reopen(sandbox: SnapshotSource): ChangeLog
  remove(id: string): void
  /** Folds everything into one file if possible; idempotent. */
  close(): void
}

/** A stored sandbox. */
export interface StoredSandbox {
  id: string
  /** Its latest state. */
  state: SandboxState
  /** The snapshot that it was made from, if any. */
  snapshot: SandboxState | null
}

// The status of the storage: for health, metrics and the log.

/** The status of a state file. */
export interface StorageStatus {
  /** The file as the user named it. */
  readonly file: string
  /**
   * Whether it cannot be written: then changes are refused, and counters (usage, nonces) are ahead
   * of the file.
   */
  readonly behind: boolean
  /** Why it cannot be written, with the remedy, in a line; null while it can. */
  readonly why: string | null
  /** Start of the failure, wall time of the machine, ms; null while it can be written. */
  readonly sinceMs: number | null
  /** Number of written transactions. */
  readonly commits: number
  /** Number of failed transactions; none of them wrote anything. */
  readonly failures: number
}

/** Observes when storage begins to fail and when it recovers. */
export interface StorageObserver {
  readonly systemClock: SystemClock
  log(line: string): void
}

/** A change could not be stored, and was undone. */
export class StorageError extends UserError {}
