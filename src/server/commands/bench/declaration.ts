/** The flags of `tapewright bench`. */
import type { Declaration } from '../command.ts'
import { given } from '../flag.ts'

export const BENCH = {
  name: 'bench',
  summary: 'run the benchmarks that docs/performance.md shows',
  about:
    'Runs the benchmarks of bench/ one after another, each in a separate process. A row says ' +
    'so if it cannot be measured. longest-tape, which takes ten minutes and 4 GB of disk, is run ' +
    'by its name only. The exit code is 1 if a benchmark failed.',
  argument: { placeholder: 'NAME', noun: 'benchmark', min: 0, max: Number.POSITIVE_INFINITY },
  flags: {
    json: given('print one line of JSON for each row instead of tables'),
    write: given('write docs/performance.md from this run; what is not run stays as it is'),
  },
  examples: [
    { words: 'bench decimals --json', does: 'run one benchmark and print its rows as JSON' },
  ],
} as const satisfies Declaration
