import type { Tally } from './tally.ts'

/**
 * Prints what failed by name, then one plain line `N passed, N failed[, N skipped]`; answers the
 * exit code.
 */
export function report(tallies: Tally[]): number {
  const failed = tallies.flatMap((tally) => tally.failed)
  const passed = sum(tallies.map((tally) => tally.passed))
  const skipped = sum(tallies.map((tally) => tally.skipped))
  const lines = failed.map((name) => `failed: ${name}`)
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  lines.push(`${passed} passed, ${failed.length} failed${tail}`)
  console.log(`\n${lines.join('\n')}`)
  return failed.length > 0 || passed === 0 ? 1 : 0
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
