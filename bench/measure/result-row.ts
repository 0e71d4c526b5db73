import type { BenchmarkRow, Unmeasured } from '../../src/server/commands/bench/performance-page.ts'

/**
 * Prints one row of a benchmark as a line of JSON, for `tapewright bench` to collect.
 * The ratio follows from value and baseline.
 */
export function row(of: Omit<BenchmarkRow, 'ratio' | 'baseline'> & { baseline?: number }): void {
  const baseline = of.baseline ?? null
  const ratio = baseline === null ? null : of.value / baseline
  console.log(JSON.stringify({ ...of, baseline, ratio } satisfies BenchmarkRow))
}

/** Prints the reason for a missing row. */
export function unmeasured(of: Unmeasured): void {
  console.log(JSON.stringify(of))
}

const RUNS = 5

/** Milliseconds of a task: the median of five runs, after a warm-up. */
export async function medianMs(task: () => unknown): Promise<number> {
  await task()
  const timesMs: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const startMs = performance.now()
    await task()
    timesMs.push(performance.now() - startMs)
  }
  return timesMs.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
}
