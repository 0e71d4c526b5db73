/** Control calls about the session clock, and moves of time. */

import { minuteOf, nextMonthMs } from '../../../clock/instant.ts'
import type { BackPressure, ClockTime, SessionClock } from '../../../clock/session-clock.ts'
import type { Slices } from '../../../clock/turns.ts'
import { OneOf, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { checkGrowth } from '../../../sandbox/sandbox-config.ts'
import { hubOf, type SubscriptionHub } from '../../../sandbox/session/subscription-hub.ts'
import type { ControlCall } from '../control-call.ts'
import { controlOperation } from '../control-operation.ts'
import { ClockStateField, SandboxRecord, sandboxRecord } from '../sandbox-record.ts'

const POLL_MS = 1

/**
 * Waits between alarms until every client keeps up, so that a long step loses nothing. A client
 * that stalls for long is not waited for again in the same step. `check` throws when the step is no
 * longer wanted.
 */
function backPressureOf(sandbox: Sandbox, check: () => void): BackPressure {
  const hub = hubOf(sandbox)
  hub.outgoing.waitAgain()
  return () => {
    check()
    return hub.isKeepingUp ? undefined : waitForClients(sandbox, hub, check)
  }
}

async function waitForClients(
  { systemClock }: Sandbox,
  hub: SubscriptionHub,
  check: () => void,
): Promise<void> {
  while (!hub.isKeepingUp) {
    await new Promise<void>((resume) => systemClock.startTimer(POLL_MS, resume))
    check()
    hub.outgoing.flush()
  }
}

const MarketField = OneOf(
  ['moves', 'stays'],
  '`moves` (default): the market moves with the clock. `stays`: it stays at its instant, which ' +
    'is then shown as the new now',
)
export const ForceField = Type.Boolean({
  description: 'allow a call that grows up to 31 days of market instead of 2; it may take minutes',
})

/** How the market moves with the clock. */
interface MarketMove {
  market?: 'moves' | 'stays' | undefined
  force?: boolean | undefined
}

/**
 * Moves the clock of a call's sandbox, after storing its destination. It ends when every push has
 * been queued, and, where signatures name the machine's time, when later signatures are
 * distinguishable from earlier ones. A UserError for market growth that would take too long, and
 * then nothing has moved.
 */
export function* moveTime<T>(
  { sandbox, checkActive }: ControlCall,
  to: Partial<ClockTime>,
  move: (clock: SessionClock, backPressure: BackPressure) => Slices<T>,
  { market = 'moves', force = false }: MarketMove = {},
): Slices<T> {
  const found = sandbox()
  const { clock, player, playhead, changes } = found
  if (market === 'moves' && to.nowMs !== undefined)
    checkGrowth(found.world, playhead.span.startMs + playhead.wantedAt(to.nowMs), force)
  player.settle()
  const moving = move(clock, backPressureOf(found, checkActive))
  // A market that stays is in place before the clock's destination is stored.
  const work = changes.moveClock(to, moving)
  const stays = market === 'stays'
  const result = yield* stays ? stayingMarket(found, to.nowMs ?? clock.nowMs(), work) : work
  checkActive()
  player.catchUp()
  if (found.config.signatureTime === 'machine') yield clock.waitUntilSignaturesDiffer()
  sandbox().growthAhead.review()
  checkActive()
  return result
}

/**
 * Keeps the market at its instant while the clock is moved, and from the first alarm on shows it as
 * of the clock's destination; a move that ends early takes back the rest.
 */
function* stayingMarket<T>(sandbox: Sandbox, targetMs: number, moving: Slices<T>): Slices<T> {
  const { clock, playhead, player } = sandbox
  const fromMs = clock.nowMs()
  playhead.stay(fromMs, targetMs - fromMs)
  player.reposition()
  try {
    return yield* moving
  } finally {
    const leftMs = targetMs - clock.nowMs()
    if (leftMs > 0 && playhead === sandbox.playhead) {
      playhead.stay(targetMs, -leftMs)
      player.reposition()
    }
  }
}

const Fired = Type.Object({
  at: Type.Number({ description: 'session time, ms' }),
  what: Type.String({ description: 'purpose of the alarm' }),
})

export const clockAdvance = controlOperation({
  id: 'clock.advance',
  method: 'POST',
  path: '/sandboxes/:id/clock/advance',
  movesTime: true,
  title: 'Move the clock forward',
  about:
    'Answers when every due alarm has fired, in order, and every push has been queued. The ' +
    'market moves with the clock. After the end of its tape it is grown as far as needed, ' +
    'during the call. For a step over weeks, to renew quotas or to age keys, use `"market": ' +
    '"stays"`: the market stays at its instant, and only its shown times move, by the same ' +
    'amount in one step or in many. `next-month` does this by default. The call stops where it ' +
    'is if its caller disconnects, or if the sandbox is reset or dropped. If a `Timestamp` ' +
    "names the machine's time, a move that ages signatures also waits for the machine's next " +
    'second, because a `Timestamp` has whole seconds: older signatures are then older, and new ' +
    'ones are fresh.',
  params: {
    body: Type.Object({
      ms: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 40_000_000_000,
          description: 'length of the step, ms',
        }),
      ),
      to: Type.Optional(
        OneOf(
          ['next-minute', 'next-month'],
          'the next refill of rate limits, or renewal of quotas',
        ),
      ),
      market: Type.Optional(MarketField),
      force: Type.Optional(ForceField),
    }),
  },
  examples: [
    { name: 'by a minute', body: { ms: 60_000 } },
    { name: 'to the next refill of rate limits', body: { to: 'next-minute' } },
    { name: 'to the next renewal of quotas', body: { to: 'next-month' } },
  ],
  data: Type.Composite([
    SandboxRecord,
    Type.Object({
      fired: Type.Array(Fired, { description: 'the alarms that fired, in order' }),
      more: Type.Integer({ description: 'number of alarms that fired after those' }),
    }),
  ]),
  *answer({ body: { ms, to, market: requested, force } }, call) {
    const found = call.sandbox()
    if ((ms === undefined) === (to === undefined)) throw new UserError('give one of ms and to')
    const nowMs = found.clock.nowMs()
    const targetMs =
      to === 'next-month' ? nextMonthMs(nowMs) : to ? (minuteOf(nowMs) + 1) * 60_000 : nowMs
    const byMs = ms ?? targetMs - nowMs
    // A new month of quotas needs no month of market.
    const market = requested ?? (to === 'next-month' ? 'stays' : 'moves')
    const firedAlarms = yield* moveTime(
      call,
      { nowMs: nowMs + byMs },
      (clock, backPressure) => clock.advancing(byMs, backPressure),
      { market, force },
    )
    const fired = firedAlarms.alarms.map(({ timeMs, what }) => ({ at: timeMs, what }))
    return { ...sandboxRecord(found), fired, more: firedAlarms.more }
  },
})

export const clockSet = controlOperation({
  id: 'clock.set',
  method: 'PUT',
  path: '/sandboxes/:id/clock',
  movesTime: true,
  title: 'Run, hold or set the clock',
  about:
    'If you set the clock forward, every due alarm fires first, and the market moves with the ' +
    'clock; clock/advance can leave the market at its instant. A clock cannot be set back.',
  params: {
    body: Type.Object({
      state: Type.Optional(ClockStateField),
      now: Type.Optional(Type.Integer({ minimum: 0, description: 'session time, ms' })),
      force: Type.Optional(ForceField),
    }),
  },
  examples: [{ name: 'held', body: { state: 'held' } }],
  data: SandboxRecord,
  *answer({ body }, call) {
    const found = call.sandbox()
    const nowMs = Math.floor(found.clock.nowMs())
    if (body.now !== undefined && body.now < nowMs)
      throw new UserError(`now must be ${nowMs} or later: a clock cannot be set back; use reset`)
    const to = {
      ...(body.state === undefined ? {} : { state: body.state }),
      ...(body.now === undefined ? {} : { nowMs: body.now }),
    }
    const { force } = body
    const move = (clock: SessionClock, backPressure: BackPressure) =>
      clock.setting(to, backPressure)
    yield* moveTime(call, to, move, { force })
    return sandboxRecord(found)
  },
})
