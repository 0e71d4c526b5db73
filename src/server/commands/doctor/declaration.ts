/** The flags of `tapewright doctor`. */
import type { Declaration } from '../command.ts'
import { given } from '../flag.ts'
import { SERVER_FLAGS } from '../running-server.ts'

export const DOCTOR = {
  name: 'doctor',
  summary: 'check this machine, and a running server',
  about:
    'Checks the versions of Tapewright, Bun and Node, the folder of cast worlds, the port, the ' +
    'clock, Chromium, and a signed request to the server at the URL; where none runs, it starts ' +
    'one for that. Code 1 if something has to be mended; each line says how.',
  flags: {
    url: SERVER_FLAGS.url,
    port: SERVER_FLAGS.port,
    json: given('print one line of JSON'),
  },
  examples: [
    { words: 'doctor --url http://127.0.0.1:4010', does: 'check everything' },
    { words: 'doctor --url http://127.0.0.1:4010 --json', does: 'for a program' },
  ],
} as const satisfies Declaration
