/**
 * Storing what changes in a sandbox beyond the process. Sandboxes in memory have no store, and then
 * it costs nothing.
 */

import type { SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'
import type { PartKind, SnapshotSource } from './snapshot/state-parts.ts'

/**
 * Stores a sandbox from now on, or one that was made from what is stored; drops it when that fails.
 *
 * @param numberedCount how many got their id by number; null when it is stored already
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

/** Of one sandbox. What cannot be written is a StorageError, and then nothing of it is. */
export interface ChangeLog {
  /** A part has been made, changed or removed. */
  markChanged(kind: PartKind, id: string): void
  /** Writes what was marked; an answer that leaves after this is durable. */
  commit(): void
  /** The same for what may be written later: it stays marked, and the store says so. */
  flush(): void
  /** Writes a sandbox of the same id in place of all that is stored of this one. */
  replace(sandbox: SnapshotSource): void
  /** What is stored. */
  stored(): SandboxState
  /** Forgets what was marked: it has been undone. */
  discard(): void
}

/** Of all sandboxes. What cannot be written is a StorageError, and then nothing of it is. */
export interface SandboxStore {
  readonly status: StorageStatus
  /** From now on it is told when storage begins to fail, and when it goes on. */
  reportTo(observer: StorageObserver): void
  /** What was stored, in the order in which the sandboxes were made. */
  sandboxes(): StoredSandbox[]
  /** How many sandboxes got their id by number. */
  readonly numberedCount: number
  /** Stores a sandbox from now on, in place of any other of its id. */
  add(sandbox: SnapshotSource, numberedCount: number): ChangeLog
  /** Goes on storing a sandbox that was made from what is stored. */
  reopen(sandbox: SnapshotSource): ChangeLog
  remove(id: string): void
  /** Everything that can be is in one file then; once is enough. */
  close(): void
}

/** A sandbox as it was stored. */
export interface StoredSandbox {
  id: string
  /** Its latest state. */
  state: SandboxState
  /** What it was made from, if it was made from a snapshot. */
  snapshot: SandboxState | null
}

// How the keeping of sandboxes beyond the process stands: for health, metrics and the log.

/** Of a state file; without one there is none. */
export interface StorageStatus {
  /** The file, as it was named. */
  readonly file: string
  /**
   * Whether it cannot be written: changes are refused then, and counters (usage, nonces) are ahead
   * of what is in it.
   */
  readonly behind: boolean
  /** Why it cannot be written and what to do, in a line; null while it can. */
  readonly why: string | null
  /** Since when, wall time of the machine, ms; null while it can. */
  readonly sinceMs: number | null
  /** Transactions that were written. */
  readonly commits: number
  /** Transactions that could not be written; each of them left nothing behind. */
  readonly failures: number
}

/** Who is told when storage begins to fail and when it goes on. */
export interface StorageObserver {
  readonly systemClock: SystemClock
  log(line: string): void
}

/** What was asked for could not be kept, and so it has not happened. */
export class StorageError extends UserError {}
