/** The flags of `tapewright serve`. */
import { MOOD_NAMES } from '../../market/synth/mood.ts'
import { DEFAULT_TAPE } from '../../tape/tape-name.ts'
import type { Declaration } from '../command.ts'
import {
  choice,
  file,
  given,
  historyName,
  numberOr,
  scenarioName,
  tapeName,
  text,
  wholeNumber,
} from '../flag.ts'

/** Which world: of all commands that need one. */
export const WORLD_FLAGS = {
  tape: tapeName({ about: 'a tape file, or a name in recordings/', default: DEFAULT_TAPE }),
  seed: wholeNumber(
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    { about: 'who trades on the tape', default: 1 },
  ),
  history: historyName({
    about: 'candles for the time before the tape, CSV; may be given again',
    repeatable: true,
  }),
} as const

export const SERVE = {
  name: 'serve',
  summary: 'serve the contract over HTTP and WebSocket',
  about:
    'Serves the contract over HTTP and WebSocket from a recorded market. Prints one line once ' +
    'it is ready, "tapewright listening on http://HOST:PORT", then keys and links; Ctrl-C ends it.',
  section: 'serve',
  flags: {
    port: wholeNumber(
      { min: 0, max: 65_535 },
      { about: 'port, 0 for any free one', default: 4010 },
    ),
    host: text('HOST', { about: 'address to listen on', default: '127.0.0.1' }),
    tape: WORLD_FLAGS.tape,
    seed: WORLD_FLAGS.seed,
    history: WORLD_FLAGS.history,
    replay: tapeName({
      about: 'serve the answers and frames of this recording back as they were recorded',
      absent: 'none',
    }),
    miss: choice(['world', 'refuse', 'upstream'], {
      about: 'where comes from what --replay does not have: the world, nowhere, or --upstream',
      default: 'world',
    }),
    upstream: text('URL', { about: 'the service that --miss upstream asks', absent: 'none' }),
    signWith: text('KEY:SECRET', {
      about: 'key of that service, for requests that are passed on to it',
      absent: 'as they come',
      secret: true,
    }),
    speed: numberOr(
      'max',
      { min: 0, max: 10_000 },
      { about: '0 stands still, 1 as recorded, up to 10000, or max', default: 1 },
    ),
    end: choice(['continue', 'hold', 'loop'], {
      about: 'at the end of the tape: go on, stand still, or begin the tape anew',
      default: 'continue',
    }),
    epoch: choice(['live', 'tape'], {
      about: 'show the market as of now, or with its recorded times',
      default: 'live',
    }),
    mood: choice(MOOD_NAMES, {
      about: 'how the market goes on after its tape',
      absent: 'as usual',
    }),
    scenario: scenarioName({
      about: 'what goes wrong: a name in scenarios/ or a file; may be given again',
      repeatable: true,
    }),
    questions: file({ about: 'answers to open questions, such as conform --observe writes' }),
    magic: choice(['on', 'off'], {
      about: 'whether magic values work, such as coin TRY-429',
      default: 'on',
    }),
    clock: choice(['running', 'held'], {
      about: 'run with the machine, or be moved by the control plane',
      default: 'running',
    }),
    idle: wholeNumber(
      { min: 1, max: 2_000_000, unit: 'S' },
      { about: 'drop sandboxes without requests and sockets for so long, s', absent: 'never' },
    ),
    maxSockets: wholeNumber(
      { min: 1, max: 1_000_000 },
      { about: 'sockets that may be open at once', default: 10_000 },
    ),
    maxSandboxes: wholeNumber(
      { min: 1, max: 1_000_000 },
      { about: 'sandboxes that there may be at once', default: 10_000 },
    ),
    state: file({
      about:
        'keep sandboxes, keys, levels, usage and alerts in this file, made if need be; what it ' +
        'holds counts more than the flags above',
      absent: 'kept in memory only',
    }),
    digest: given('at the end, a line for all that each sandbox has said'),
    stories: file({
      about: 'a folder of stories for the demo, beside those that come with the program',
      absent: 'those only',
    }),
    demo: given('print links to the full-screen demo, for the projector and for its guests'),
    untilStdinEnds: given(
      'end when standard input does, as it does with the process that started it',
    ),
    json: given('one line of JSON instead of what is printed when it is ready'),
  },
  examples: [
    { words: 'serve', does: 'the default tape, as if it were now, on port 4010' },
    { words: 'serve --port 0 --speed 10 --json', does: 'ten times as fast, on any free port' },
    {
      words: 'serve --scenario stale-book --clock held',
      does: 'books that stop changing, and a clock that only a test moves',
    },
    { words: 'serve --demo', does: 'a market on a projector, with stories that play' },
    { words: 'serve --state desk.sqlite', does: 'what is changed outlives the process' },
    {
      words: 'serve --replay afternoon.tape.ndjson --miss refuse',
      does: 'what was recorded, and nothing else',
    },
    {
      words: 'serve --history BTC=btc-1h.csv',
      does: 'a month of BTC before the tape as it was, from a file of candles',
    },
  ],
} as const satisfies Declaration
