/** The flags of `tapewright bench`. */
import type { Declaration } from '../command.ts'
import { given } from '../flag.ts'

export const BENCH = {
  name: 'bench',
  summary: 'run the benchmarks that docs/performance.md shows',
  about:
    'Runs the benchmarks of bench/, each in a process of its own, one after the other. What ' +
    'cannot be measured says so in its row; the code is 1 when a benchmark ended badly.',
  argument: { placeholder: 'NAME', noun: 'benchmark', min: 0, max: Number.POSITIVE_INFINITY },
  flags: {
    json: given('one line of JSON for each row instead of tables'),
    write: given('writes docs/performance.md from this run (all benchmarks only)'),
  },
  examples: [{ words: 'bench decimals --json', does: 'one benchmark, its rows for a program' }],
} as const satisfies Declaration
