/** What a run of the suite is told. */
import type { SystemClock } from '../clock/system-clock.ts'
import type { KnownFailures } from './known-failures.ts'
import type { Result } from './runner.ts'
import type { Target } from './target.ts'
import type { TargetTransport } from './target-transport.ts'

export interface ConformSettings {
  /** Where the service is, or the base URL of a sandbox. */
  baseUrl?: string
  /** Keys there; cases that need one that is not given are skipped. */
  keys?: Target['keys']
  /** An invite token that may be used up. */
  inviteToken?: string
  /**
   * In place of all these: the control plane of a stand-in, `http://127.0.0.1:4010/_control`, where
   * a sandbox is made, checked and dropped.
   */
  controlUrl?: string
  /** Its token, where it wants one. */
  controlToken?: string | undefined
  /** Cases whose id begins so; all when left out. */
  only?: readonly string[]
  /** Cases whose id begins so are left out. */
  exclude?: readonly string[]
  /** Failures that do not fail the run. */
  known?: KnownFailures
  /** Who and what there is at the target, where its own lists do not show it; beside `baseUrl`. */
  inventory?: NonNullable<Target['inventory']>
  /** Longest wait for something to happen by itself, ms (5000). */
  patienceMs?: number
  /** Requests a minute at most; as many as the target answers when left out. */
  ratePerMinute?: number
  /** Cases at a time (8). */
  concurrency?: number
  /** How long an answer may take, to a request or to a frame, ms (15 000). */
  timeoutMs?: number
  /** How often what must agree is looked at again before it counts as different (12). */
  retries?: number
  /**
   * Puts the cases into an order of its own; a sandbox that is made for the run then begins at the
   * same instant every time.
   */
  seed?: number
  /** Ends the run; what is known by then is reported. */
  signal?: AbortSignal
  /** Told of each case as it ends, and how long the rest takes where requests wait, ms. */
  onResult?: (result: Result, remainingMs: number | null) => void
  /** Told once what keeps cases from being looked at: a key, a permission, a rate. */
  onNote?: (note: string) => void
  /** Carries requests and sockets; HTTP and WebSocket when left out. */
  transport?: TargetTransport
  /** The machine's time; the real one when left out. */
  systemClock?: SystemClock
}
