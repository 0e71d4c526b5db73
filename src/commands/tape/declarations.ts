/** The actions of `tapewright tape` that make tapes, with their flags. */
import { MOOD_NAMES } from '../../market/synth/mood.ts'
import { PAIRS_MOST, PERPETUALS_MOST, USUAL_LISTING } from '../../tape/synth/listing.ts'
import type { Declaration } from '../command.ts'
import { choice, file, text, wholeNumber } from '../flag.ts'
import { ONE_TAPE } from './inspect-declarations.ts'

/** Where a tape is written to. */
export const out = file({
  about: 'the tape to write; one whose name ends in .zst is written with zstd',
  required: true,
  perRun: true,
})

/** How a moment of a tape is named. */
export const MOMENT = 'ms since 1970, or from the start of the tape: 250ms, 30s, 5m, 1h'

export const TAPE_CUT = {
  name: 'tape cut',
  summary: 'take a part of a tape',
  about: 'Writes a part of a tape: a range of time, or some of its coins, or both.',
  argument: ONE_TAPE,
  flags: {
    out,
    from: text('MOMENT', {
      about: `first moment in: ${MOMENT}`,
      absent: 'its start',
      perRun: true,
    }),
    to: text('MOMENT', { about: 'first moment out', absent: 'its end', perRun: true }),
    coins: text('BTC,ETH', {
      about: 'only these, without raw exchanges and frames',
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
  summary: 'make one tape of several',
  about: 'Writes the events of several tapes as one, in order of time.',
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
  about: 'Writes a tape that no market was ever behind: the same bytes for the same seed.',
  flags: {
    out,
    seed: wholeNumber(
      { min: 0, max: Number.MAX_SAFE_INTEGER },
      { about: 'what it is made from', required: true, perRun: true },
    ),
    minutes: wholeNumber(
      { min: 1, max: 43_200 },
      { about: 'how long it is, up to a month', default: 20, perRun: true },
    ),
    coins: wholeNumber(
      { min: 1, max: PERPETUALS_MOST },
      { about: 'perpetuals, the busiest first', default: USUAL_LISTING.perpetuals, perRun: true },
    ),
    pairs: wholeNumber(
      { min: 0, max: PAIRS_MOST },
      { about: 'spot pairs', default: USUAL_LISTING.pairs, perRun: true },
    ),
    price: text('COIN=PRICE', {
      about: 'where the price of a coin begins, dollars; once for each coin',
      absent: 'what is usual',
      repeatable: true,
      perRun: true,
    }),
    mood: choice(MOOD_NAMES, {
      about:
        'what the market is like, instead of a quiet phase and a cascade in each twenty minutes',
      absent: 'those',
      perRun: true,
    }),
    plot: file({
      about: 'what the market does, and when: a YAML file with a list of market events',
      absent: 'nothing',
      perRun: true,
    }),
  },
  examples: [
    {
      words: 'tape synth --seed 7 --minutes 1 --out quiet.tape.ndjson.zst',
      does: 'a minute of a market of its own',
    },
    {
      words:
        'tape synth --seed 7 --minutes 1 --coins 30 --pairs 5 --price BTC=120000 --mood bull ' +
        '--out many.tape.ndjson.zst',
      does: 'thirty perpetuals and five spot pairs, prices on their way up',
    },
  ],
} as const satisfies Declaration
