/** The flags of `tapewright tape normalise`. */
import type { Declaration } from '../command.ts'
import { file, given, text } from '../flag.ts'
import { MOMENT, out } from './declarations.ts'

export const TAPE_NORMALISE = {
  name: 'tape normalise',
  summary: 'make a market from recorded traffic',
  about:
    'Makes a tape from the market data in the answers and frames of a recording, and a file of ' +
    'candles for the time before it. Reports unknown data and contradictions.',
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
      about: 'file for the candles before the tape',
      absent: 'beside the tape, named .history.csv',
      perRun: true,
    }),
    from: text('MOMENT', {
      about: `start of the tape: ${MOMENT}`,
      absent: 'with the recording',
      perRun: true,
    }),
    coins: text('BTC,ETH', { about: 'only these coins', absent: 'all', perRun: true }),
    json: given('print one line of JSON'),
  },
  examples: [
    {
      words: 'tape normalise afternoon.tape.ndjson --out market.tape.ndjson.zst',
      does: 'then serve --tape market.tape.ndjson.zst --history market.history.csv',
    },
  ],
} as const satisfies Declaration
