/** Shapes of the control plane. */
import { OneOf, type Static, Type } from '../contract/schema.ts'
import { DELIVERIES } from '../sandbox/delivery.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ApiKey } from '../sandbox/tenancy/api-key.ts'
import { hubOf } from '../session/subscription-hub.ts'

export const ClockStateField = OneOf(['running', 'held'], 'whether it runs with the machine')
export const EndField = OneOf(
  ['continue', 'hold', 'loop'],
  'what happens at the end of the tape: the market goes on, stands, or begins the tape anew',
)
export const SpeedField = Type.Union(
  [Type.Number({ minimum: 0, maximum: 10_000 }), Type.Literal('max')],
  {
    description: '0 is paused, 1 is as recorded, `max` is as fast as subscribers take it',
  },
)
export const DeliveryField = OneOf(
  [...DELIVERIES],
  'who is waited for: `paced` waits for subscribers when it is faster than recorded, ' +
    '`lossless` for the slowest at any speed and as long as it takes, `live` for nobody: what ' +
    'does not fit into the queue of a slow client is discarded and counted',
)
export const AtField = Type.Integer({
  minimum: 0,
  description: 'tape time in ms; below 10^10 an offset from the start of the tape',
})

export const BookmarkField = Type.Union([
  AtField,
  Type.String({ description: 'name of a bookmark' }),
])

export const SandboxRecord = Type.Object(
  {
    id: Type.String(),
    clock: Type.Object({
      state: ClockStateField,
      now: Type.Integer({ description: 'session time, ms' }),
    }),
    playhead: Type.Object({
      at: Type.Integer({ description: 'tape time, ms' }),
      shown: Type.Integer({ description: 'what clients are shown, ms' }),
      speed: SpeedField,
      end: EndField,
      lap: Type.Integer({ description: 'how often the tape was restarted' }),
      start: Type.Integer({ description: 'first instant of the tape, ms' }),
      stop: Type.Integer({ description: 'last instant of the tape, ms' }),
      growing: Type.Boolean({
        description: 'whether it waits after the tape for the market to be grown',
      }),
      epoch: OneOf(['live', 'tape'], 'which times clients are shown'),
      delivery: DeliveryField,
      lagMs: Type.Integer({
        description: 'how much session time it is behind its speed since it was last set, ms',
      }),
    }),
    profile: OneOf(['contract', 'raw'], 'what it imitates'),
    world: Type.String({ description: 'tape digest and seed' }),
    questions: Type.Record(Type.String(), Type.String()),
    scenarios: Type.Array(Type.String(), { description: 'those that are on' }),
    counts: Type.Object({
      connections: Type.Integer(),
      subscriptions: Type.Integer(),
      queued: Type.Integer({ description: 'frames in the longest queue' }),
      discarded: Type.Integer({ description: 'frames that slow clients have lost' }),
    }),
  },
  { title: 'Sandbox' },
)

/** A sandbox as the control plane shows it. */
export function sandboxRecord(sandbox: Sandbox): Static<typeof SandboxRecord> {
  const { clock, playhead, world } = sandbox
  const here = sandbox.position()
  const hub = hubOf(sandbox)
  return {
    id: sandbox.id,
    clock: { state: clock.state, now: Math.floor(clock.nowMs()) },
    playhead: {
      at: here.atMs,
      shown: here.atMs + here.shiftMs,
      speed: playhead.speed,
      end: playhead.end,
      lap: here.lap,
      start: playhead.span.startMs,
      stop: playhead.span.tapeEndMs,
      growing: world.growth !== undefined && playhead.isAheadAt(clock.nowMs()),
      epoch: playhead.epoch,
      delivery: sandbox.delivery.mode,
      lagMs: Math.round(playhead.lagMs(clock.nowMs())),
    },
    profile: sandbox.config.profile,
    world: world.id,
    questions: sandbox.answers,
    scenarios: sandbox.faultInjection.activeScenarios.map(({ scenario }) => scenario.name),
    counts: {
      connections: hub.sessions.size,
      subscriptions: hub.subscriptionCount,
      queued: hub.queuedCount,
      discarded: hub.discardedCount,
    },
  }
}

export const KeyRecord = Type.Object(
  { accessKey: Type.String(), secretKey: Type.String() },
  { title: 'KeyPair' },
)

export const keyRecord = ({ accessKey, secretKey }: ApiKey): Static<typeof KeyRecord> => ({
  accessKey,
  secretKey,
})
