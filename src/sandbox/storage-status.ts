/** How the keeping of sandboxes beyond the process stands: for health, metrics and the log. */
import type { SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'

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
