/** The flags of `tapewright health`. */
import type { Declaration } from '../command.ts'
import { wholeNumber } from '../flag.ts'
import { SERVE } from '../serve/declaration.ts'

export const HEALTH = {
  name: 'health',
  summary: 'ask a server whether it is ready',
  about:
    'Asks a server whether it is ready: that of the URL, or of a port of this machine. Code 0 ' +
    'when it is, 1 with the reason when it is not.',
  argument: { placeholder: 'URL', noun: 'address', min: 0, max: 1 },
  section: 'serve',
  flags: {
    port: SERVE.flags.port,
    wait: wholeNumber(
      { min: 0, max: 86_400, unit: 'S' },
      { about: 'asks again for so long, s', default: 0, perRun: true },
    ),
  },
  examples: [
    {
      words: 'health http://127.0.0.1:4010 --wait 60',
      does: 'go on as soon as the server serves, or give up after a minute',
    },
  ],
} as const satisfies Declaration
