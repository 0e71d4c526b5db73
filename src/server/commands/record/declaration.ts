/** The flags of `tapewright record`. */
import type { Declaration } from '../command.ts'
import { file, text, wholeNumber } from '../flag.ts'

export const RECORD = {
  name: 'record',
  summary: 'record the traffic between a client and a service as a tape',
  about:
    'A proxy between clients and a service. It passes HTTP and WebSocket on unchanged and ' +
    'records them as a tape. Keys, signatures and secrets never reach the file. Ctrl-C ends it.',
  section: 'record',
  flags: {
    upstream: text('URL', { about: 'base URL of the service', required: true }),
    out: file({
      about: 'the tape to write; a name that ends in .zst is compressed with zstd',
      required: true,
      perRun: true,
    }),
    port: wholeNumber(
      { min: 0, max: 65_535 },
      { about: 'port for clients, 0 for any free one', default: 4020 },
    ),
    host: text('HOST', { about: 'address to listen on', default: '127.0.0.1' }),
    redact: text('NAME', {
      about: 'another field, parameter or header whose value is secret; may be repeated',
      repeatable: true,
    }),
    signWith: text('KEY:SECRET', {
      about:
        'sign every request, for clients that cannot; prefer the environment, because other ' +
        'users of this machine can see a command line',
      secret: true,
    }),
    rotateSize: wholeNumber(
      { min: 1, max: 1_000_000, unit: 'MB' },
      { about: 'continue in another file after this many MB', absent: 'one file' },
    ),
    rotateEvery: wholeNumber(
      { min: 1, max: 43_200, unit: 'MIN' },
      { about: 'continue in another file after this many minutes', absent: 'one file' },
    ),
    timeout: wholeNumber(
      { min: 100, max: 600_000, unit: 'MS' },
      { about: 'longest wait for the service to begin an answer', default: 60_000 },
    ),
  },
  examples: [
    {
      words: 'record --upstream http://127.0.0.1:4010 --out session.tape.ndjson.zst',
      does: 'record clients that use http://127.0.0.1:4020',
    },
  ],
} as const satisfies Declaration
