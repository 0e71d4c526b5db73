/** The flags of `tapewright bench`. */
import type { Declaration } from '../command.ts'
import { given, wholeNumber } from '../flag.ts'

export const BENCH = {
  name: 'bench',
  summary: 'run the benchmarks that docs/performance.md shows',
  about:
    'Runs the benchmarks of bench/ one after another, each in a separate process. A row says ' +
    'so if it cannot be measured. longest-tape, which takes ten minutes and 4 GB of disk, is run ' +
    'by its name only. The exit code is 1 if a benchmark failed. With --compare the benchmarks ' +
    '(the quick ones, unless some are named) are repeated in turn until a tenth can be seen, and ' +
    'the exit code is 1 too if a ratio is worse by more than that than the one last kept in ' +
    'bench/history.ndjson (by 30 % when that was on a machine of another kind).',
  argument: { placeholder: 'NAME', noun: 'benchmark', min: 0, max: Number.POSITIVE_INFINITY },
  flags: {
    json: given('print one line of JSON for each row instead of tables'),
    compare: given('compare with the ratios that were kept last'),
    keep: given('with --compare: keep the ratios of this run in bench/history.ndjson'),
    rounds: wholeNumber(
      { min: 1, max: 50 },
      { about: 'with --compare: the most repetitions of a benchmark', default: 9 },
    ),
    write: given('write docs/performance.md from this run; what is not run stays as it is'),
  },
  examples: [
    { words: 'bench decimals --compare', does: 'whether it became slower since the last kept run' },
    { words: 'bench decimals --json', does: 'run one benchmark and print its rows as JSON' },
  ],
} as const satisfies Declaration
