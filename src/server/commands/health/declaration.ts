/** The flags of `tapewright health`. */
import type { Declaration } from '../command.ts'
import { wholeNumber } from '../flag.ts'
import { SERVE } from '../serve/declaration.ts'

export const HEALTH = {
  name: 'health',
  summary: 'ask a server whether it is ready',
  about:
    'Asks the server at the URL, or at a port of this machine, whether it is ready. Exit code 0 ' +
    'if it is; 1, with the reason, if it is not.',
  argument: { placeholder: 'URL', noun: 'address', min: 0, max: 1 },
  section: 'serve',
  flags: {
    port: { ...SERVE.flags.port, about: 'port of the server, if no URL is given' },
    wait: wholeNumber(
      { min: 0, max: 86_400, unit: 'S' },
      { about: 'keep asking for this many seconds', default: 0, perRun: true },
    ),
  },
  examples: [
    {
      words: 'health http://127.0.0.1:4010 --wait 60',
      does: 'wait until the server is ready, at most a minute',
    },
  ],
} as const satisfies Declaration
