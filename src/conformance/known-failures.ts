/** Failures that were known before a run, which do not fail it. */
import type { Result } from './runner.ts'

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
