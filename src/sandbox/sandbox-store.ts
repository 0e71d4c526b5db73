/**
 * Storing what changes in a sandbox beyond the process. Sandboxes in memory have no store, and then
 * it costs nothing.
 */

import type { SandboxState } from './snapshot/sandbox-state.ts'
import type { PartKind, SnapshotSource } from './snapshot/state-parts.ts'

/** Of one sandbox. */
export interface ChangeLog {
  /** A part has been made, changed or removed. */
  markChanged(kind: PartKind, id: string): void
  /** Everything may be different. */
  markAllChanged(): void
  /** Writes what was marked; an answer that leaves after this is durable. */
  commit(): void
}

/** Of all sandboxes. */
export interface SandboxStore {
  /** What was stored, in the order in which the sandboxes were made. */
  sandboxes(): StoredSandbox[]
  /** How many sandboxes got their id by number. */
  numberedCount: number
  /** Stores a sandbox from now on, in place of any other of its id. */
  add(sandbox: SnapshotSource): ChangeLog
  /** Goes on storing a sandbox that was made from what is stored. */
  reopen(sandbox: SnapshotSource): ChangeLog
  remove(id: string): void
}

/** A sandbox as it was stored. */
export interface StoredSandbox {
  id: string
  /** Its latest state. */
  state: SandboxState
  /** What it was made from, if it was made from a snapshot. */
  snapshot: SandboxState | null
}
