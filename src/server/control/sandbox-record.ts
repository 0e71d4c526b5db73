/** Schemas of the control plane. */
import { OneOf, type Static, Type } from '../../contract/schema.ts'
import { DELIVERIES } from '../../sandbox/playhead.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { hubOf } from '../../sandbox/session/subscription-hub.ts'
import type { ApiKey } from '../../sandbox/tenancy/api-key.ts'

export const ClockStateField = OneOf(['running', 'held'], 'whether it runs with the machine')
export const EndField = OneOf(
  ['continue', 'hold', 'loop'],
  'behaviour at the end of the tape: continue the market, hold it, or loop the tape',
)
export const SpeedField = Type.Union(
  [Type.Number({ minimum: 0, maximum: 10_000 }), Type.Literal('max')],
  {
    description: '0 is paused, 1 is as recorded, `max` is as fast as subscribers can read',
  },
)
export const DeliveryField = OneOf(
  [...DELIVERIES],
  'whether the tape waits for slow subscribers: `paced` waits at more than the recorded speed, ' +
    '`lossless` always waits for the slowest one, `live` never waits. Frames that do not fit ' +
    'into the queue of a slow client are discarded and counted',
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
      shown: Type.Integer({ description: 'the time that clients see, ms' }),
      speed: SpeedField,
      end: EndField,
      lap: Type.Integer({ description: 'number of restarts of the tape' }),
      start: Type.Integer({ description: 'first instant of the tape, ms' }),
      stop: Type.Integer({ description: 'last instant of the tape, ms' }),
      growing: Type.Boolean({
        description: 'whether it waits for the market after the tape to be grown',
      }),
      epoch: OneOf(['live', 'tape'], 'which times clients see'),
      delivery: DeliveryField,
      lagMs: Type.Integer({
        description: 'how far it is behind its speed since it was last set, ms of session time',
      }),
    }),
    profile: OneOf(['contract', 'raw'], 'the imitated service'),
    world: Type.String({ description: 'tape digest and seed' }),
    tape: Type.String({ description: 'name of its tape, the `source` of the header' }),
    questions: Type.Record(Type.String(), Type.String()),
    scenarios: Type.Array(Type.String(), { description: 'active scenarios' }),
    usage: Type.Optional(
      Type.Object(
        {
          memory: Type.Object({
            heldBytes: Type.Integer({ description: 'memory in use, bytes' }),
            boundBytes: Type.Integer({ description: 'memory bound, bytes' }),
            journal: Type.Integer({ description: 'of these, entries of its journal' }),
            queues: Type.Integer({
              description: 'of these, frames that wait for clients, and messages of theirs',
            }),
            faults: Type.Integer({ description: 'of these, delayed pushes and responses' }),
            scenarios: Type.Integer({ description: 'of these, its scenarios' }),
            records: Type.Integer({ description: 'of these, keys, levels, invites and alerts' }),
            calls: Type.Integer({
              description: 'of these, snapshots and live journals that are being sent',
            }),
          }),
          processor: Type.Object({
            usedMs: Type.Integer({ description: 'processor time that its work has used, ms' }),
            waitedMs: Type.Integer({ description: 'waiting time of its work, ms' }),
            recentShare: Type.Number({ description: 'share of the thread in the last seconds' }),
            isOverBudget: Type.Boolean({
              description: 'whether it exceeds its share, so that others go first',
            }),
          }),
        },
        { description: 'its use of the server, if `usage=true` is requested' },
      ),
    ),
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
    tape: world.source,
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

export const UsageField = Type.Optional(
  Type.Boolean({
    description: 'add memory and processor time, which are not the same in two runs',
  }),
)

/** The record of a sandbox, with its resource usage where that is requested. */
export const usedRecord =
  ({ usage = false }: { usage?: boolean }) =>
  (sandbox: Sandbox): Static<typeof SandboxRecord> =>
    usage ? { ...sandboxRecord(sandbox), usage: usageOf(sandbox) } : sandboxRecord(sandbox)

function usageOf({ memory, account, systemClock }: Sandbox) {
  const nowMs = systemClock.monotonicMs()
  const { heldBytes, boundBytes, held } = memory
  return {
    memory: { heldBytes, boundBytes, ...held },
    processor: {
      usedMs: Math.round(account.usedMs),
      waitedMs: Math.round(account.waitedMs),
      recentShare: Math.round(account.recentShareAt(nowMs) * 100) / 100,
      isOverBudget: account.isOverBudgetAt(nowMs),
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
