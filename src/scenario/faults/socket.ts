/** Faults on whole sockets. */
import { Type } from '../../contract/schema.ts'
import { type Fault, fault } from '../fault.ts'

const exact = { additionalProperties: false }
const NO_SETTINGS = Type.Object({}, exact)
const within = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

export const SOCKET_FAULTS: readonly Fault[] = [
  fault({
    name: 'disconnect',
    about: 'Connections are closed as the rule begins, each time it does.',
    settings: Type.Object({ code: within(1000, 4999, 'close code; 1006 drops it') }, exact),
    closeCode: ({ code }) => code ?? 1006,
  }),
  fault({
    name: 'back-pressure',
    about:
      'Frames queue as if the client did not read, and are discarded when too many wait; only ' +
      'its `stat` is answered.',
    settings: Type.Object({ frames: within(0, 20_000, 'so many may wait (1000)') }, exact),
    stalledFrames: ({ frames }) => frames ?? 1_000,
  }),
  fault({
    name: 'refuse-subscriptions',
    about: 'Subscriptions are answered by an `error` frame, and do not hold.',
    settings: Type.Object(
      { reason: Type.Optional(Type.String({ minLength: 1, description: 'what the frame says' })) },
      exact,
    ),
    subscriptionRefusal: ({ reason }) => reason ?? null,
  }),
  fault({
    name: 'lose-acknowledgements',
    about: 'Subscriptions hold, but are not acknowledged.',
    settings: NO_SETTINGS,
    lostReply: 'acknowledgement',
  }),
  fault({
    name: 'lose-pongs',
    about: 'Heartbeats count, but are not answered.',
    settings: NO_SETTINGS,
    lostReply: 'pong',
  }),
]
