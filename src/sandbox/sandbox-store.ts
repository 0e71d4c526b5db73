/** The interfaces for durable sandboxes. Sandboxes in memory have no store, and no cost of one. */

import type { SystemClock } from '../clock/system-clock.ts'
import type { Slices } from '../clock/turns.ts'
import type { Refusal } from '../contract/refusal.ts'
import { UserError } from '../platform/user-error.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'
import type { PartKind, SnapshotSource } from './snapshot/state-parts.ts'
import type { ApiKey } from './tenancy/api-key.ts'

/**
 * Stores a sandbox from now on, or one restored from the store; drops it when that fails. A promise
 * where the store is another process.
 *
 * @param numberedCount number of ids made by counting; null when it is stored already
 */
export function storeSandbox(
  store: SandboxStore | null,
  sandbox: StorableSandbox,
  numberedCount: number | null,
): void | Promise<void> {
  if (!store) return
  const keep = (changeLog: ChangeLog) => {
    sandbox.changeLog = changeLog
    sandbox.shared = changeLog.shared
  }
  const drop = (error: unknown) => {
    sandbox.drop()
    throw error
  }
  try {
    const changeLog =
      numberedCount === null ? store.reopen(sandbox) : store.add(sandbox, numberedCount)
    if (changeLog instanceof Promise) return changeLog.then(keep, drop)
    keep(changeLog)
  } catch (error) {
    drop(error)
  }
}

interface StorableSandbox extends SnapshotSource {
  changeLog: ChangeLog | null
  shared: SharedChanges | null
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
  /** Where other replicas change the sandbox too; null where one process has it alone. */
  readonly shared: SharedChanges | null
}

/**
 * The changes of a sandbox that other replicas make too. What they have stored is applied before a
 * request is answered. A store that is away is a StorageError.
 */
export interface SharedChanges {
  /**
   * Authorizes a caller by the latest state of all replicas, and counts the request.
   *
   * @param isExclusive whether it is a part of exclusive work
   * @param early the result of `admitEarly`, which holds unless the sandbox was changed since
   */
  admit(authorize: () => Caller, isExclusive: boolean, early?: Admission): Slices<Admission>
  /**
   * The same before the work of a request begins: many requests share a round trip then. Undefined
   * where another replica or a request has changed the sandbox; then nothing was counted.
   */
  admitEarly(authorize: () => Caller): Promise<Admission | undefined>
  /**
   * Runs work that may change the sandbox, by the latest state, and stores its changes. When
   * another replica was first, it is undone and runs again.
   */
  exclusive<T>(work: () => Slices<T>): Slices<T>
  /** Stores what exclusive work has changed so far; the rest of it cannot be undone. */
  storeEarly(): Slices<void>
  /** Moves the clock to where the stored one is. */
  settleClock(): Slices<void>
  /** Applies what other replicas have stored, and reads all counts. */
  catchUp(): Slices<void>
}

/** The key of a caller, null for an unsigned one, or why it is refused. */
type Caller = ApiKey | null | Refusal

/** An authorized caller, and the refusal where a limit is reached: then nothing was counted. */
export interface Admission {
  caller: Caller
  overLimit: Refusal | null
  /** The state by which it was authorized. */
  by: object
}

/** The store of all sandboxes. A write that fails is a StorageError and writes nothing. */
export interface SandboxStore {
  readonly status: StorageStatus
  /** Notifies the observer when storage begins to fail and when it recovers. */
  reportTo(observer: StorageObserver): void
  /** The stored sandboxes to restore at the start, in order of creation. */
  sandboxes(): StoredSandbox[]
  /** Number of ids made by counting. */
  readonly numberedCount: number
  /** Stores a sandbox from now on, in place of any other of its id. */
  add(sandbox: SnapshotSource, numberedCount: number): ChangeLog | Promise<ChangeLog>
  /** Continues storing a sandbox that was restored. */
  reopen(sandbox: SnapshotSource): ChangeLog
  remove(id: string): void | Promise<void>
  /** Folds everything into one file if possible; idempotent. */
  close(): void
  /** The sandboxes of all replicas; null where the store belongs to one process. */
  readonly shared: SharedSandboxes | null
}

/** Sandboxes that other replicas make, change and drop too. */
export interface SharedSandboxes {
  /** Restores and removes sandboxes of this replica from now on. */
  join(host: SandboxHost): Promise<void>
  /**
   * Restores the sandbox of an id, or that of an access key or invite token, unless this replica
   * has it: then the result is undefined.
   */
  prepare(id: string | undefined, name: string | undefined): Promise<void> | undefined
  /** Restores all. */
  prepareAll(): Promise<void>
  /** Restores or removes a sandbox that another replica has replaced or dropped. */
  renew(id: string): Promise<void>
  readonly figures: ReplicaFigures
  /** The number of the next sandbox without a name, the same for no two. */
  nextNumber(): Promise<number>
}

/** How a replica follows the others. */
export interface ReplicaFigures {
  /** Calls of the store that were answered. */
  readonly roundTrips: number
  /** Changes that another replica was faster with, and that were made again. */
  readonly conflicts: number
  /** Age of the latest change of another replica when it was applied here, ms; 0 before one. */
  readonly lagMs: number
  /** Bound of the difference between the clocks of this replica and the store, ms. */
  readonly clockErrorMs: number
}

/** The sandboxes of this replica. */
export interface SandboxHost {
  readonly byId: ReadonlyMap<string, SnapshotSource>
  /** Whether a sandbox of this replica has an access key or an invite token of that name. */
  ownsName(name: string): boolean
  restore(stored: StoredSandbox): Promise<void>
  /** Removes a sandbox that is stored no more. */
  remove(id: string): void
  /** Makes the default sandbox. */
  createDefault(): Promise<void>
  /** Runs work in the turns of a sandbox. */
  run(id: string, work: (shared: SharedChanges) => Slices<void>): Promise<void>
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

/** The status of a state file, or of another store. */
export interface StorageStatus {
  /** `state file` or `store`, for messages. */
  readonly what: string
  /** The file as the user named it, or the address of the store. */
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
export class StorageError extends UserError {
  /** HTTP status of the control plane. */
  readonly status: number = 507
}

/** The store of all replicas is away. */
export class StoreAwayError extends StorageError {
  override readonly status = 503
}

/** Another replica has replaced or dropped the sandbox: the request begins anew. */
export class SandboxReplacedError extends StorageError {
  override readonly status = 503

  constructor(readonly sandbox: string) {
    super(`sandbox "${sandbox}" was replaced or dropped by another replica meanwhile`)
  }
}
