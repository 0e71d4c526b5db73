/** What a run found out, as a value: results, counts, and which requirements were looked at. */

import { REQUIREMENTS } from './requirements.ts'
import type { Result, Verdict } from './runner.ts'
import { SchemaCoverage } from './schema-coverage.ts'
import { NEVER_SHOWN, SELDOM_SHOWN } from './unshown-parts.ts'

export interface Report {
  target: string
  /** Why the run ended before all cases were looked at; null when it did not. */
  ended: string | null
  /** What runs the suite again, for a shell that has the keys in variables. */
  command: string
  /** What there is to say of failures that were known before: what has passed or expired. */
  notes: readonly string[]
  counts: Record<Verdict, number>
  /** Of each requirement what became of the cases that check it. */
  requirements: RequirementResult[]
  results: readonly Result[]
  /** Parts of the declared schemas that answers have shown. */
  schemas: {
    seen: number
    total: number
    unseen: string[]
    /** Of those that our own default market does not show either, why it does not. */
    reasons: Record<string, string>
  }
}

export interface RequirementResult {
  id: string
  section: string
  text: string
  verdict: Verdict | 'unchecked'
  /** Whether one of its cases was told anything that could have shown the target to be wrong. */
  looked: boolean
  cases: number
}

export function reportOf(
  target: string,
  results: readonly Result[],
  { seen, total, unseen }: Pick<SchemaCoverage, 'seen' | 'total' | 'unseen'> = new SchemaCoverage(),
  { ended = null, command = commandFor(target), notes = [] }: Partial<Run> = {},
): Report {
  const count = (verdict: Verdict) => results.filter((one) => one.verdict === verdict).length
  return {
    target,
    ended,
    command,
    notes,
    counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    requirements: REQUIREMENTS.map(({ id, section, text }) => {
      const own = results.filter(({ checks }) => checks.includes(id))
      const looked = own.some((result) => result.looked)
      return { id, section, text, verdict: verdictOf(own), looked, cases: own.length }
    }),
    results,
    schemas: { seen, total, unseen, reasons: reasonsFor(unseen) },
  }
}

/** What is known of a run besides its results. */
type Run = Pick<Report, 'ended' | 'command' | 'notes'>

const commandFor = (target: string): string =>
  `tapewright conform --target ${target} --key "$ACCESS_KEY" --secret "$SECRET_KEY"`

function reasonsFor(unseen: readonly string[]): Record<string, string> {
  const known: Record<string, string> = { ...NEVER_SHOWN, ...SELDOM_SHOWN }
  return Object.fromEntries(
    unseen.flatMap((part) => (known[part] === undefined ? [] : [[part, known[part]]])),
  )
}

/** One failure fails it; it passes when something passed, and is skipped when all was. */
function verdictOf(results: readonly Result[]): RequirementResult['verdict'] {
  for (const verdict of ['failed', 'passed', 'skipped'] as const)
    if (results.some((one) => one.verdict === verdict)) return verdict
  return 'unchecked'
}

/** Failures that do not fail the run: they were known. */
export const knownFailuresIn = ({ results }: Pick<Report, 'results'>): number =>
  results.filter(({ known }) => known !== undefined).length

/** `7 passed, 2 failed (1 known), 3 skipped`. */
export function countsText(report: Report): string {
  const { passed, failed, skipped } = report.counts
  const known = knownFailuresIn(report)
  const ofThem = known > 0 ? ` (${known} known)` : ''
  return `${passed} passed, ${failed} failed${ofThem}, ${skipped} skipped`
}

/** The sections of the contract that requirements are of. */
export const sectionsOf = ({ requirements }: Report): string[] => [
  ...new Set(requirements.map(({ section }) => section)),
]
