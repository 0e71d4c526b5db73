/** Settings of a run of the suite. */

import type { SystemClock } from '../clock/system-clock.ts'
import type { Result } from './runner.ts'
import type { Target } from './target.ts'
import type { TargetTransport } from './target-transport.ts'

export interface ConformSettings {
  /** URL of the service, or the base URL of a sandbox. */
  baseUrl?: string
  /** Keys of the target; cases that need a missing one are skipped. */
  keys?: Target['keys']
  /** An invite token that may be used up. */
  inviteToken?: string
  /**
   * Instead of all these: the control plane of a stand-in, `http://127.0.0.1:4010/_control`, where
   * a sandbox is created, checked and dropped.
   */
  controlUrl?: string
  /** Its token, where it requires one. */
  controlToken?: string | undefined
  /** Prefixes of case ids to run; all when left out. */
  only?: readonly string[]
  /** Prefixes of case ids to skip. */
  exclude?: readonly string[]
  /** Failures that do not fail the run. */
  known?: KnownFailures
  /** Accounts and coins of the target that its own lists do not show; with `baseUrl`. */
  inventory?: NonNullable<Target['inventory']>
  /** Longest wait for an event, ms (5000). */
  patienceMs?: number
  /** Maximum requests a minute; the target's own rate when left out. */
  ratePerMinute?: number
  /** Concurrent cases (8). */
  concurrency?: number
  /** Timeout of a response to a request or frame, ms (15 000). */
  timeoutMs?: number
  /** Retries before values that must agree count as different (12). */
  retries?: number
  /** Shuffles the cases; a sandbox created for the run then always begins at the same instant. */
  seed?: number
  /** Aborts the run; results so far are reported. */
  signal?: AbortSignal
  /** Called when a case ends, with the estimated rest where requests wait, ms. */
  onResult?: (result: Result, remainingMs: number | null) => void
  /** Called once for each obstacle: a key, a permission, a rate. */
  onNote?: (note: string) => void
  /** Transport of requests and sockets; HTTP and WebSocket when left out. */
  transport?: TargetTransport
  /** System clock; the real one when left out. */
  systemClock?: SystemClock
}

// Known failures, which do not fail a run.

/** A known failure of a case: last day and reason. */
export interface Expectation {
  id: string
  /** The last day on which it may fail, `2027-01-31`. */
  until: string
  reason: string
}

export interface KnownFailures {
  expected?: readonly Expectation[]
  /** Cases that failed in an earlier run. */
  baseline?: readonly string[]
}

/** Marks a known failure with the reason why it does not fail the run. */
export function markedAsKnown(result: Result, known: KnownFailures, nowMs: number): Result {
  if (result.verdict !== 'failed') return result
  const expectation = known.expected?.find(({ id }) => id === result.id)
  if (expectation !== undefined && !isOver(expectation, nowMs))
    return {
      ...result,
      known: `expected to fail until ${expectation.until}: ${expectation.reason}`,
    }
  if (known.baseline?.includes(result.id)) return { ...result, known: 'it failed in the baseline' }
  return result
}

/** Notes on outdated known failures. */
export function notesOnKnown(
  results: readonly Result[],
  { expected = [], baseline = [] }: KnownFailures,
  nowMs: number,
): string[] {
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]))
  return [
    ...expected.flatMap((expectation) => {
      const { id, until, reason } = expectation
      const verdict = verdicts.get(id)
      const words = `${id} was expected to fail until ${until} (${reason})`
      if (verdict === 'passed') return [`${words}, and passes: take it off the list`]
      if (verdict === 'failed' && isOver(expectation, nowMs)) return [`${words}, and still fails`]
      return []
    }),
    ...baseline
      .filter((id) => verdicts.get(id) === 'passed')
      .map((id) => `${id} failed in the baseline, and passes`),
  ]
}

/** Days are in UTC. */
const isOver = ({ until }: Expectation, nowMs: number): boolean =>
  new Date(nowMs).toISOString().slice(0, 10) > until
