/** The actions of `tapewright tape` that inspect tapes, with their flags. */
import type { Declaration } from '../command.ts'
import { file, given, text } from '../flag.ts'

/** The argument of actions on one tape. */
export const ONE_TAPE = {
  placeholder: 'TAPE',
  noun: 'tape',
  min: 1,
  max: 1,
  completes: 'tape',
} as const

export const TAPE_INFO = {
  name: 'tape info',
  summary: 'show span, counts, gaps and the prices of each coin',
  about:
    'Prints the header of a tape, the number and rate of events of each kind, the gaps, and for ' +
    'each coin its prices, volume, mean spread, and the course of its price.',
  argument: ONE_TAPE,
  flags: { json: given('print one line of JSON') },
  examples: [
    { words: 'tape info default', does: 'the contents of the included tape' },
    { words: 'tape info default --json', does: 'the same as JSON' },
  ],
} as const satisfies Declaration

export const TAPE_VERIFY = {
  name: 'tape verify',
  summary: 'check every line and follow the books',
  about:
    'Checks every line of a tape and follows its books. Lists findings; exit code 1 if there ' +
    'are any.',
  argument: ONE_TAPE,
  flags: { json: given('print one line of JSON; same exit codes') },
  examples: [{ words: 'tape verify default', does: 'check the included tape' }],
} as const satisfies Declaration

export const TAPE_DIFF = {
  name: 'tape diff',
  summary: 'compare two tapes',
  about:
    'Prints the differences in the headers, counts and events of two tapes, with the first ' +
    'different event. Exit code 1 if they differ. Event numbers (seq) are ignored.',
  argument: { placeholder: 'TAPE', noun: 'tape', min: 2, max: 2, completes: 'tape' },
  flags: { json: given('print one line of JSON; same exit codes') },
  examples: [
    { words: 'tape diff default default', does: 'a tape equals itself' },
    {
      words: 'tape diff monday.tape.ndjson.zst tuesday.tape.ndjson.zst',
      does: 'the differences of two tapes',
    },
  ],
} as const satisfies Declaration

export const TAPE_PLOT = {
  name: 'tape plot',
  summary: 'draw a tape as SVG',
  about: 'Draws prices, turnover and spreads of a tape as an SVG, one row for each coin.',
  argument: ONE_TAPE,
  flags: {
    out: file({
      about: 'the SVG to write',
      absent: 'the name of the tape, with .svg',
      perRun: true,
    }),
    coins: text('BTC,ETH', { about: 'only these coins', absent: 'the first eight', perRun: true }),
  },
  examples: [
    { words: 'tape plot default --out default.svg', does: 'the first eight coins' },
    { words: 'tape plot default --coins BTC,HYPE --out two.svg', does: 'two of them' },
  ],
} as const satisfies Declaration
