/** The actions of `tapewright tape` that make tapes, with their flags. */
import { MOOD_NAMES } from '../../../market/synth/mood.ts'
import { PAIRS_MOST, PERPETUALS_MOST, USUAL_LISTING } from '../../../tape/synth/listing.ts'
import type { Declaration } from '../command.ts'
import { choice, file, text, wholeNumber } from '../flag.ts'
import { ONE_TAPE } from './inspect-declarations.ts'

/** The flag for the written tape. */
export const out = file({
  about: 'the tape to write; a name that ends in .zst is compressed with zstd',
  required: true,
  perRun: true,
})

/** The forms of an instant of a tape. */
export const MOMENT = 'ms since 1970, or a time after the start of the tape: 250ms, 30s, 5m, 1h'

export const TAPE_CUT = {
  name: 'tape cut',
  summary: 'take a part of a tape',
  about: 'Writes a part of a tape: a range of time, or some of its coins, or both.',
  argument: ONE_TAPE,
  flags: {
    out,
    from: text('MOMENT', {
      about: `first included moment: ${MOMENT}`,
      absent: 'its start',
      perRun: true,
    }),
    to: text('MOMENT', { about: 'first excluded moment', absent: 'its end', perRun: true }),
    coins: text('BTC,ETH', {
      about: 'only these coins, without raw exchanges and frames',
      absent: 'all',
      perRun: true,
    }),
  },
  examples: [
    {
      words: 'tape cut default --from 1m --to 2m --coins BTC,ETH --out minute.tape.ndjson.zst',
      does: 'two coins, one minute',
    },
  ],
} as const satisfies Declaration

export const TAPE_MERGE = {
  name: 'tape merge',
  summary: 'merge tapes',
  about: 'Writes the events of several tapes as one tape, ordered by time.',
  argument: {
    placeholder: 'TAPE',
    noun: 'tape',
    min: 2,
    max: Number.POSITIVE_INFINITY,
    completes: 'tape',
  },
  flags: { out },
  examples: [
    {
      words: 'tape merge monday.tape.ndjson.zst tuesday.tape.ndjson.zst --out both.tape.ndjson.zst',
      does: 'two days in one file',
    },
  ],
} as const satisfies Declaration

export const TAPE_SYNTH = {
  name: 'tape synth',
  summary: 'make a market from a seed',
  about: 'Generates the tape of an artificial market. The same seed gives the same bytes.',
  flags: {
    out,
    seed: wholeNumber(
      { min: 0, max: Number.MAX_SAFE_INTEGER },
      { about: 'seed of the market', required: true, perRun: true },
    ),
    minutes: wholeNumber(
      { min: 1, max: 43_200 },
      { about: 'length, up to a month', default: 20, perRun: true },
    ),
    coins: wholeNumber(
      { min: 1, max: PERPETUALS_MOST },
      {
        about: 'number of perpetuals, the busiest first',
        default: USUAL_LISTING.perpetuals,
        perRun: true,
      },
    ),
    pairs: wholeNumber(
      { min: 0, max: PAIRS_MOST },
      { about: 'number of spot pairs', default: USUAL_LISTING.pairs, perRun: true },
    ),
    price: text('COIN=PRICE', {
      about: 'first price of a coin, dollars; once for each coin',
      absent: 'usual prices',
      repeatable: true,
      perRun: true,
    }),
    mood: choice(MOOD_NAMES, {
      about: 'kind of market, instead of a quiet phase and a cascade in each twenty minutes',
      absent: 'quiet phases and cascades',
      perRun: true,
    }),
    plot: file({
      about: 'a YAML file with a list of market events and their times',
      absent: 'no events',
      perRun: true,
    }),
  },
  examples: [
    {
      words: 'tape synth --seed 7 --minutes 1 --out quiet.tape.ndjson.zst',
      does: 'one minute of a generated market',
    },
    {
      words:
        'tape synth --seed 7 --minutes 1 --coins 30 --pairs 5 --price BTC=120000 --mood bull ' +
        '--out many.tape.ndjson.zst',
      does: 'thirty perpetuals and five spot pairs with rising prices',
    },
  ],
} as const satisfies Declaration
