/** The actions of `tapewright tape` that look at tapes, with their flags. */
import type { Declaration } from '../command.ts'
import { file, given, text } from '../flag.ts'

/** What an action on one tape takes. */
export const ONE_TAPE = {
  placeholder: 'TAPE',
  noun: 'tape',
  min: 1,
  max: 1,
  completes: 'tape',
} as const

export const TAPE_INFO = {
  name: 'tape info',
  summary: 'span, counts, gaps and what each coin did',
  about:
    'Prints the header of a tape, how many events of each kind it has and how fast they come, ' +
    'where nothing came, and what each coin did: prices, volume, mean spread, and its price ' +
    'along the tape.',
  argument: ONE_TAPE,
  flags: { json: given('one line of JSON') },
  examples: [
    { words: 'tape info default', does: 'what is on the tape that comes along' },
    { words: 'tape info default --json', does: 'the same for a program' },
  ],
} as const satisfies Declaration

export const TAPE_VERIFY = {
  name: 'tape verify',
  summary: 'check every line and follow the books',
  about: 'Checks every line of a tape and follows its books; lists findings, with code 1.',
  argument: ONE_TAPE,
  flags: { json: given('one line of JSON; the code is 1 with findings all the same') },
  examples: [{ words: 'tape verify default', does: 'that nothing is wrong with it' }],
} as const satisfies Declaration

export const TAPE_DIFF = {
  name: 'tape diff',
  summary: 'how two tapes differ',
  about:
    'Prints what differs in the headers, the counts and the events of two tapes, with the first ' +
    'event that is another one; code 1 when they differ. Numbers of events may differ.',
  argument: { placeholder: 'TAPE', noun: 'tape', min: 2, max: 2, completes: 'tape' },
  flags: { json: given('one line of JSON; the code is 1 with differences all the same') },
  examples: [
    { words: 'tape diff default default', does: 'that a tape is the same as itself' },
    { words: 'tape diff monday.tape.ndjson.zst tuesday.tape.ndjson.zst', does: 'what differs' },
  ],
} as const satisfies Declaration

export const TAPE_PLOT = {
  name: 'tape plot',
  summary: 'draw a tape as SVG',
  about: 'Draws prices, turnover and spreads along a tape as an SVG, one row for each coin.',
  argument: ONE_TAPE,
  flags: {
    out: file({
      about: 'the SVG to write',
      absent: 'the name of the tape, with .svg',
      perRun: true,
    }),
    coins: text('BTC,ETH', { about: 'only these', absent: 'the first eight', perRun: true }),
  },
  examples: [
    { words: 'tape plot default --out default.svg', does: 'the first eight coins' },
    { words: 'tape plot default --coins BTC,HYPE --out two.svg', does: 'two of them' },
  ],
} as const satisfies Declaration
