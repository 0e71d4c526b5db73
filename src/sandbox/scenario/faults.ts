/** All faults, by name. */

import { Type } from '../../contract/schema.ts'
import { type Fault, fault } from './fault.ts'
import { DATA_FAULTS } from './faults/data.ts'
import { PUSH_FAULTS } from './faults/push.ts'
import { REQUEST_FAULTS } from './faults/request.ts'
import { RESPONSE_FAULTS } from './faults/response.ts'

/** Faults on whole sockets. */
const exact = { additionalProperties: false }
const NO_SETTINGS = Type.Object({}, exact)
const within = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

const SOCKET_FAULTS: readonly Fault[] = [
  fault({
    name: 'disconnect',
    about: 'Connections are closed each time the rule begins.',
    settings: Type.Object({ code: within(1000, 4999, 'close code; 1006 drops it') }, exact),
    closeCode: ({ code }) => code ?? 1006,
  }),
  fault({
    name: 'back-pressure',
    about:
      'Frames queue as if the client did not read, and are discarded when too many wait. Only ' +
      'its `stat` is answered.',
    settings: Type.Object(
      { frames: within(0, 20_000, 'maximum number of waiting frames (1000)') },
      exact,
    ),
    stalledFrames: ({ frames }) => frames ?? 1_000,
  }),
  fault({
    name: 'refuse-subscriptions',
    about: 'Subscriptions are refused with an `error` frame.',
    settings: Type.Object(
      { reason: Type.Optional(Type.String({ minLength: 1, description: 'text of the frame' })) },
      exact,
    ),
    subscriptionRefusal: ({ reason }) => reason ?? null,
  }),
  fault({
    name: 'lose-acknowledgements',
    about: 'Subscriptions work, but are not acknowledged.',
    settings: NO_SETTINGS,
    lostReply: 'acknowledgement',
  }),
  fault({
    name: 'lose-pongs',
    about: 'Heartbeats count, but get no answer.',
    settings: NO_SETTINGS,
    lostReply: 'pong',
  }),
]

export const FAULTS: ReadonlyMap<string, Fault> = new Map(
  [...REQUEST_FAULTS, ...DATA_FAULTS, ...RESPONSE_FAULTS, ...PUSH_FAULTS, ...SOCKET_FAULTS].map(
    (one) => [one.name, one],
  ),
)
