import type { Failure, FileTime, Tally } from './test-tally.ts'

/**
 * Prints the slowest files, then each failure once with what it says, then one plain line
 * `N passed, N failed[, N skipped]`; answers the exit code.
 */
export function report(tallies: readonly Tally[]): number {
  const failed = tallies.flatMap((tally) => tally.failed)
  const passed = sum(tallies.map((tally) => tally.passed))
  const skipped = sum(tallies.map((tally) => tally.skipped))
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  const last = `${passed} passed, ${failed.length} failed${tail}`
  const files = tallies.flatMap((tally) => tally.files ?? [])
  console.log([...slowest(files), ...failed.map(failureText), last].join('\n'))
  return failed.length > 0 || passed === 0 ? 1 : 0
}

const SLOWEST = 10

function slowest(files: readonly FileTime[]): string[] {
  if (files.length <= 1) return ['']
  const shown = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  const lines = shown.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
  return ['', 'the slowest files:', ...lines, '']
}

/** Long failures are cut: one may hold a whole answer. */
const LONGEST_LINES = 60

function failureText({ name, says }: Failure): string {
  const lines = says.split('\n').filter((line) => line.trim() !== '')
  const left = lines.length - LONGEST_LINES
  const shown = lines.slice(0, LONGEST_LINES).map((line) => `    ${line.slice(0, 400)}`)
  if (left > 0) shown.push(`    … and ${left} lines more`)
  return `${[`failed: ${name}`, ...shown].join('\n')}\n`
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
