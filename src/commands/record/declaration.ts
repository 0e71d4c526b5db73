/** The flags of `tapewright record`. */
import type { Declaration } from '../command.ts'
import { file, text, wholeNumber } from '../flag.ts'

export const RECORD = {
  name: 'record',
  summary: 'sit between a client and a service, and write a tape',
  about:
    'Sits between clients and a service, passes HTTP and WebSocket on unchanged, and writes what ' +
    'passes as a tape. Keys, signatures and secrets never reach the file. Ctrl-C ends it.',
  section: 'record',
  flags: {
    upstream: text('URL', { about: 'where the service is', required: true }),
    out: file({
      about: 'the tape to write; one whose name ends in .zst is written with zstd',
      required: true,
      perRun: true,
    }),
    port: wholeNumber(
      { min: 0, max: 65_535 },
      { about: 'port for clients, 0 for any free one', default: 4020 },
    ),
    host: text('HOST', { about: 'address to listen on', default: '127.0.0.1' }),
    redact: text('NAME', {
      about: 'one more field, parameter or header whose value is secret; may be given again',
      repeatable: true,
    }),
    signWith: text('KEY:SECRET', {
      about:
        'signs every request, for clients that cannot; better in the environment than here, ' +
        'where everybody on this machine sees it',
      secret: true,
    }),
    rotateSize: wholeNumber(
      { min: 1, max: 1_000_000, unit: 'MB' },
      { about: 'goes on in another file after so many MB', absent: 'one file' },
    ),
    rotateEvery: wholeNumber(
      { min: 1, max: 43_200, unit: 'MIN' },
      { about: 'goes on in another file after so many minutes', absent: 'one file' },
    ),
    timeout: wholeNumber(
      { min: 100, max: 600_000, unit: 'MS' },
      { about: 'how long the service may take to begin an answer', default: 60_000 },
    ),
  },
  examples: [
    {
      words: 'record --upstream http://127.0.0.1:4010 --out session.tape.ndjson.zst',
      does: 'clients that ask http://127.0.0.1:4020 are recorded',
    },
  ],
} as const satisfies Declaration
