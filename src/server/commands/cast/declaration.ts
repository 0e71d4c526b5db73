/** The flags of `tapewright cast`. */
import type { Declaration } from '../command.ts'
import { given, text, wholeNumber } from '../flag.ts'
import { WORLD_FLAGS } from '../serve/declaration.ts'

export const CAST = {
  name: 'cast',
  summary: 'print the coins, addresses and orders that you can ask for',
  about:
    'Prints, as JSON, the coins, pairs, addresses, orders and positions that a sandbox on this ' +
    'tape knows. Use them as test data. `personas` are traders that every world has under the ' +
    'same addresses, each with a description.',
  section: 'serve',
  flags: {
    tape: WORLD_FLAGS.tape,
    seed: WORLD_FLAGS.seed,
    history: WORLD_FLAGS.history,
    at: wholeNumber(
      { min: 0, max: Number.MAX_SAFE_INTEGER, unit: 'MS' },
      {
        about: 'at this tape time, or at this time after its start',
        absent: 'its end',
        perRun: true,
      },
    ),
    json: given('print one line'),
    pocket: text('FOLDER', {
      about:
        'write the files for a sandbox in a web page without a server: a small world of ' +
        'a week, SQLite and a worker',
      absent: 'no files',
      perRun: true,
    }),
    coins: text('BTC,ETH', {
      about: 'coins of the pocket world',
      absent: 'six of the tape, some of each kind',
      perRun: true,
    }),
  },
  examples: [
    { words: 'cast', does: 'print what exists at the end of the default tape' },
    {
      words: 'cast --at 60000 --json',
      does: 'the same one minute after its start, as one line of JSON',
    },
    { words: 'cast --pocket public/tapewright', does: 'write the files that a static page loads' },
  ],
} as const satisfies Declaration
