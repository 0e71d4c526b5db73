/** The flags of `tapewright tape normalise`. */
import type { Declaration } from '../command.ts'
import { file, given, text } from '../flag.ts'
import { MOMENT, out } from './declarations.ts'

export const TAPE_NORMALISE = {
  name: 'tape normalise',
  summary: 'make a market of recorded traffic',
  about:
    'Makes a tape of what the answers and frames of a recording say of the market, and a file of ' +
    'candles for the time before it. Says what was not understood, and what contradicts.',
  argument: {
    placeholder: 'RECORDING',
    noun: 'recording',
    min: 1,
    max: Number.POSITIVE_INFINITY,
    completes: 'tape',
  },
  flags: {
    out,
    history: file({
      about: 'where the candles from before the tape are written',
      absent: 'beside the tape, named .history.csv',
      perRun: true,
    }),
    from: text('MOMENT', {
      about: `where the tape begins: ${MOMENT}`,
      absent: 'with the recording',
      perRun: true,
    }),
    coins: text('BTC,ETH', { about: 'only these', absent: 'all', perRun: true }),
    json: given('one line of JSON'),
  },
  examples: [
    {
      words: 'tape normalise afternoon.tape.ndjson --out market.tape.ndjson.zst',
      does: 'then serve --tape market.tape.ndjson.zst --history market.history.csv',
    },
  ],
} as const satisfies Declaration
