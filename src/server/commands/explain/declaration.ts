/** The flags of `tapewright explain`. */
import type { Declaration } from '../command.ts'
import { given, text } from '../flag.ts'
import { SERVER_FLAGS } from '../running-server.ts'

export const EXPLAIN = {
  name: 'explain',
  summary: 'explain the answer to a request',
  about:
    'Asks the server of the URL, or of a port of this machine for a path, how it would answer ' +
    'the request now. Prints the answer, what decided, what to do about it, the sentence of the ' +
    'contract or the open question that it rests on, and each check. Nothing is counted and ' +
    'nothing changes. The exit code is 0 whatever the answer would be.',
  argument: { placeholder: 'URL', noun: 'URL', min: 1, max: 1 },
  flags: {
    method: text('METHOD', { about: 'GET, POST, PUT or DELETE', default: 'GET', perRun: true }),
    body: text('TEXT', { about: 'body of the request', perRun: true }),
    contentType: text('TYPE', {
      about: 'content type of the body',
      default: 'application/json',
      perRun: true,
    }),
    signWith: text('KEY:SECRET', {
      about: 'sign the request with this key, such as demo:demo-secret',
      absent: 'the signature of the URL',
      perRun: true,
      secret: true,
    }),
    port: {
      ...SERVER_FLAGS.port,
      about: 'port of the server, if the URL is a path; without it, TAPEWRIGHT_URL',
    },
    json: given('print the explanation as JSON'),
  },
  examples: [
    {
      words: 'explain http://127.0.0.1:4010/api/upgrade/v2/hl/tickers?AccessKeyId=demo',
      does: 'why a request without a signature is refused',
    },
    {
      words: 'explain /api/upgrade/v2/hl/tickers --sign-with demo-bare:demo-bare-secret',
      does: 'what a key that lacks the permission gets',
    },
  ],
} as const satisfies Declaration
