/**
 * Keeping what a sandbox is told beyond the process. Sandboxes in memory have no keeper, and then
 * it costs nothing.
 */
import type { PartKind, Savable } from './saved/parts.ts'
import type { SandboxState } from './saved/state.ts'

/** Of one sandbox. */
export interface Keeper {
  /** A part has been made, changed or removed. */
  note(kind: PartKind, id: string): void
  /** Everything may be different. */
  noteAll(): void
  /** Keeps what was noted; an answer that leaves after this is true for good. */
  commit(): void
}

/** Of all sandboxes. */
export interface Storehouse {
  /** What was kept, in the order in which the sandboxes were made. */
  sandboxes(): Kept[]
  /** How many sandboxes got their id by number. */
  numbered: number
  /** Keeps a sandbox from now on, in place of any other of its id. */
  keep(sandbox: Savable): Keeper
  /** Goes on keeping a sandbox that was made from what is kept. */
  resume(sandbox: Savable): Keeper
  forget(id: string): void
}

/** A sandbox as it was kept. */
export interface Kept {
  id: string
  /** As it was last. */
  state: SandboxState
  /** What it was made from, if it was made from a snapshot. */
  from: SandboxState | null
}
