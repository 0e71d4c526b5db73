/** The flags of `tapewright logs`. */
import type { Declaration } from '../command.ts'
import { choice, given, text, wholeNumber } from '../flag.ts'
import { SERVER_FLAGS } from '../running-server.ts'

export const LOGS = {
  name: 'logs',
  summary: 'print the journal of a running server',
  about:
    'Prints the newest entries of the journal of a sandbox: requests, socket frames, and events ' +
    'of the market, the newest last. Times are those of the session clock, in UTC.',
  flags: {
    follow: given('continue with new entries, until Ctrl-C or until the server ends'),
    limit: wholeNumber({ min: 0, max: 1000 }, { about: 'maximum number of entries', default: 50 }),
    kind: choice(['request', 'frame', 'socket', 'playhead', 'market'], {
      about: 'only entries of this kind',
      absent: 'all',
    }),
    operation: text('ID', { about: 'only requests of this operation', absent: 'all' }),
    status: wholeNumber(
      { min: 100, max: 4999 },
      { about: 'only with this HTTP status or close code', absent: 'all' },
    ),
    key: text('KEY', { about: 'only of this access key', absent: 'all' }),
    ...SERVER_FLAGS,
    json: given('print one line of JSON for each entry'),
  },
  examples: [
    { words: 'logs --url http://127.0.0.1:4010', does: 'the last fifty entries' },
    {
      words: 'logs --status 200 --limit 5 --url http://127.0.0.1:4010 --json',
      does: 'the last five requests that were answered, for a program',
    },
  ],
} as const satisfies Declaration
