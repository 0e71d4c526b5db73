/** The flags of `tapewright cast`. */
import type { Declaration } from '../command.ts'
import { given, text, wholeNumber } from '../flag.ts'
import { WORLD_FLAGS } from '../serve/declaration.ts'

export const CAST = {
  name: 'cast',
  summary: 'print who and what one can ask for',
  about:
    'Prints, as JSON, the coins, pairs, addresses, orders and positions that a sandbox on this ' +
    'tape knows: its test card numbers. `personas` are traders that every world has, under the ' +
    'same addresses, each with a sentence that is true of it.',
  section: 'serve',
  flags: {
    tape: WORLD_FLAGS.tape,
    seed: WORLD_FLAGS.seed,
    history: WORLD_FLAGS.history,
    at: wholeNumber(
      { min: 0, max: Number.MAX_SAFE_INTEGER, unit: 'MS' },
      {
        about: 'as of this tape time, or this long after its start',
        absent: 'its end',
        perRun: true,
      },
    ),
    json: given('on one line'),
    pocket: text('FOLDER', {
      about:
        'write the files from which a web page has a sandbox without a server: a small world of ' +
        'a week, SQLite and the worker that answers from it',
      absent: 'none is written',
      perRun: true,
    }),
    coins: text('BTC,ETH', {
      about: 'what the pocket world has',
      absent: 'six of the tape, of each kind some',
      perRun: true,
    }),
  },
  examples: [
    { words: 'cast', does: 'who and what there is at the end of the default tape' },
    { words: 'cast --at 60000 --json', does: 'the same a minute after its start, for a program' },
    { words: 'cast --pocket public/tapewright', does: 'the files that a static page loads' },
  ],
} as const satisfies Declaration
