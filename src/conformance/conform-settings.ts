/** What a run of the suite is told. */

import type { SystemClock } from '../clock/system-clock.ts'
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

// Failures that were known before a run, which do not fail it.

/** That a case fails until a day, and why that is accepted. */
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

/** A result, with why it does not fail the run where it was known to fail. */
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

/** Of what was known, what is not so any more. */
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

/** Days are those of UTC. */
const isOver = ({ until }: Expectation, nowMs: number): boolean =>
  new Date(nowMs).toISOString().slice(0, 10) > until
