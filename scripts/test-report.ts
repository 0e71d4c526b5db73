import type { Cost, Tally } from './check-steps.ts'

/**
 * Prints the slowest files, what the parts took, then failures with their messages, then one plain
 * line `N passed, N failed[, N skipped]`; returns the exit code.
 */
export function report(tallies: readonly Tally[]): number {
  const sum = (of: 'passed' | 'failed' | 'skipped') =>
    tallies.reduce((total, tally) => total + tally[of], 0)
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')]
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  const details = tallies.map((tally) => shortened(tally.says)).filter(Boolean)
  const files = Object.assign({}, ...tallies.map((tally) => tally.files ?? {}))
  console.log(
    [
      ...slowest(files),
      ...costs(tallies),
      ...details,
      `${passed} passed, ${failed} failed${tail}`,
    ].join('\n'),
  )
  return failed > 0 || passed === 0 ? 1 : 0
}

const SLOWEST = 10

function slowest(files: Readonly<Record<string, number>>): string[] {
  const all = Object.entries(files)
  if (all.length <= 1) return ['']
  const shown = all.sort(([, a], [, b]) => b - a).slice(0, SLOWEST)
  const lines = shown.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)
  return ['', 'the slowest files:', ...lines, '']
}

/** What all parts took together, and which needed the most memory. */
function costs(tallies: readonly Tally[]): string[] {
  const parts = tallies.flatMap(({ cost }) => cost ?? [])
  const [first, ...others] = parts
  if (first === undefined) return []
  const seconds = parts.reduce((sum, { processorMs }) => sum + processorMs, 0) / 1000
  const largest = others.reduce<Cost>(
    (one, two) => (two.peakBytes > one.peakBytes ? two : one),
    first,
  )
  const peak = `${Math.round(largest.peakBytes / 1e6)} MB (${largest.name})`
  return [`${seconds.toFixed(0)} s of processor time, at most ${peak} in one process`, '']
}

/** A line may contain a whole response; the log has all of it. */
const LONGEST_LINE = 400

const shortened = (says: string): string =>
  says.replaceAll(/^.+$/gm, (line) => line.slice(0, LONGEST_LINE))
