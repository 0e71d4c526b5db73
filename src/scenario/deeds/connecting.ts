/** Deeds on sockets as a whole. */
import { Type } from '../../contract/schema.ts'
import { type Deed, deed } from '../deed.ts'

const exact = { additionalProperties: false }
const none = Type.Object({}, exact)

export const CONNECTING: readonly Deed[] = [
  deed({
    name: 'disconnect',
    about: 'Connections are closed as the rule begins, each time it does.',
    settings: Type.Object(
      {
        code: Type.Optional(
          Type.Integer({ minimum: 1000, maximum: 4999, description: 'close code; 1006 drops it' }),
        ),
      },
      exact,
    ),
    closes: ({ code }) => code ?? 1006,
  }),
  deed({
    name: 'stall',
    about: 'The client seems not to read: frames queue, and are discarded when too many wait.',
    settings: none,
    stalls: true,
  }),
  deed({
    name: 'lose-acknowledgements',
    about: 'Subscriptions hold, but nobody says so.',
    settings: none,
    loses: 'acknowledgement',
  }),
  deed({
    name: 'lose-pongs',
    about: 'Heartbeats are heard, but not answered.',
    settings: none,
    loses: 'pong',
  }),
]
