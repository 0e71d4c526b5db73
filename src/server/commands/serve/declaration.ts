/** The flags of `tapewright serve`. */
import { MOOD_NAMES } from '../../../market/synth/mood.ts'
import { SERVING_BYTES } from '../../../sandbox/memory.ts'
import { DEFAULT_TAPE } from '../../../tape/tape-name.ts'
import type { Declaration } from '../command.ts'
import {
  choice,
  file,
  given,
  historyName,
  numberOr,
  scenarioName,
  sizeOrShare,
  tapeName,
  text,
  wholeNumber,
} from '../flag.ts'

/** The flags that select a world. */
export const WORLD_FLAGS = {
  tape: tapeName({ about: 'a tape file, or a name in recordings/', default: DEFAULT_TAPE }),
  seed: wholeNumber(
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    { about: 'seed of the traders on the tape', default: 1 },
  ),
  history: historyName({
    about: 'candles for the time before the tape, CSV; may be repeated',
    repeatable: true,
  }),
} as const

export const SERVE = {
  name: 'serve',
  summary: 'serve the contract over HTTP and WebSocket',
  about:
    'Serves the contract over HTTP and WebSocket from a recorded market. When it is ready, it ' +
    'prints "tapewright listening on http://HOST:PORT", then keys and links. Ctrl-C ends it.',
  section: 'serve',
  flags: {
    port: wholeNumber(
      { min: 0, max: 65_535 },
      { about: 'port, 0 for any free one', default: 4010 },
    ),
    host: text('HOST', {
      about:
        'address to listen on; one that is not loopback needs the token of the control plane in ' +
        'TAPEWRIGHT_CONTROL_TOKEN',
      default: '127.0.0.1',
    }),
    tape: WORLD_FLAGS.tape,
    seed: WORLD_FLAGS.seed,
    history: WORLD_FLAGS.history,
    replay: tapeName({
      about: 'serve the recorded answers and frames of this recording unchanged',
      absent: 'none',
    }),
    miss: choice(['world', 'refuse', 'upstream'], {
      about:
        'what answers requests that --replay does not have: the world, a refusal, or --upstream',
      default: 'world',
    }),
    upstream: text('URL', { about: 'the service for --miss upstream', absent: 'none' }),
    signWith: text('KEY:SECRET', {
      about: 'key that signs requests to that service',
      absent: 'the signature of the client',
      secret: true,
    }),
    speed: numberOr(
      'max',
      { min: 0, max: 10_000 },
      { about: '0 is paused, 1 as recorded, up to 10000, or max', default: 1 },
    ),
    end: choice(['continue', 'hold', 'loop'], {
      about: 'at the end of the tape: continue the market, hold it, or loop the tape',
      default: 'continue',
    }),
    epoch: choice(['live', 'tape'], {
      about: 'show the market as if it were now, or with its recorded times',
      default: 'live',
    }),
    mood: choice(MOOD_NAMES, {
      about: 'kind of market after the tape',
      absent: 'a usual market',
    }),
    scenario: scenarioName({
      about: 'a scenario of faults: a name in scenarios/ or a file; may be repeated',
      repeatable: true,
    }),
    questions: file({ about: 'answers to open questions, as conform --observe writes them' }),
    magic: choice(['on', 'off'], {
      about: 'magic values, such as coin TRY-429',
      default: 'on',
    }),
    clock: choice(['running', 'held'], {
      about: 'runs with the machine, or moves only by the control plane',
      default: 'running',
    }),
    idle: wholeNumber(
      { min: 1, max: 2_000_000, unit: 'S' },
      {
        about: 'drop sandboxes without requests and sockets for this many seconds',
        absent: 'never',
      },
    ),
    maxSockets: wholeNumber(
      { min: 1, max: 1_000_000 },
      { about: 'maximum number of open sockets', default: 10_000 },
    ),
    maxSandboxes: wholeNumber(
      { min: 1, max: 1_000_000 },
      { about: 'maximum number of sandboxes', default: 10_000 },
    ),
    memory: sizeOrShare(SERVING_BYTES, {
      about:
        'maximum memory of the server, such as 2GB, or as a share of the machine or the ' +
        'container, such as 50%: new work beyond it is refused',
      absent: '50%, at least 256MB',
    }),
    hangLimit: wholeNumber(
      { min: 0, max: 86_400, unit: 'S' },
      {
        about: 'end with code 70 when a piece of work blocks the server for this long; 0 is never',
        default: 60,
      },
    ),
    healthPort: wholeNumber(
      { min: 1, max: 65_535 },
      {
        about: 'also answer health checks on this port, even while the server is blocked',
        absent: 'none',
      },
    ),
    state: file({
      about:
        'keep sandboxes, keys, levels, usage and alerts in this file, created if missing, or in ' +
        'redis://HOST:PORT/DB, which several servers share; its contents override the flags above',
      absent: 'in memory only',
    }),
    workers: wholeNumber(
      { min: 1, max: 64 },
      { about: 'processes on the port, with --state redis://', default: 1 },
    ),
    sharePort: given('let other servers on this machine listen on the port too'),
    digest: given('at shutdown, print the digest of everything each sandbox has sent'),
    stories: file({
      about: 'a folder of stories for the demo, in addition to the included ones',
      absent: 'the included ones',
    }),
    strict: given('refuse what the contract does not literally allow'),
    demo: given('print links to the full-screen demo, for the projector and for guests'),
    open: given('open the console, or with --demo the demo, in a browser'),
    untilStdinEnds: given('end when standard input ends, and so with the process that started it'),
    json: given('print one line of JSON when ready, instead of text'),
  },
  examples: [
    { words: 'serve', does: 'serve the default tape, as if it were now, on port 4010' },
    {
      words: 'serve --port 0 --speed 10 --json',
      does: 'ten times as fast, on any free port, with JSON output',
    },
    {
      words: 'serve --scenario stale-book --clock held',
      does: 'books that stop changing, and a clock that only a test moves',
    },
    { words: 'serve --demo', does: 'a market for a projector, with stories to play' },
    { words: 'serve --state desk.sqlite', does: 'keep changes when the process ends' },
    {
      words: 'serve --replay afternoon.tape.ndjson --miss refuse',
      does: 'serve only recorded answers',
    },
    {
      words: 'serve --history BTC=btc-1h.csv',
      does: 'your own candles of BTC before the tape',
    },
  ],
} as const satisfies Declaration
