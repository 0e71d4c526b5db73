import type { BackPressure } from '../../clock/clock-move.ts'
import type { ClockTime, SessionClock } from '../../clock/session-clock.ts'
import type { Slices } from '../../clock/turns.ts'
import { OneOf, Type } from '../../contract/schema.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { checkGrowth } from '../../sandbox/sandbox-config.ts'
import { hubOf, type SubscriptionHub } from '../../sandbox/session/subscription-hub.ts'
import type { ControlCall } from './control-call.ts'

const LOOK_MS = 1

/**
 * Waits between alarms until every client keeps up, so that a long step loses nothing. A client
 * that takes nothing for long is not waited for again in the same step. `check` throws when nobody
 * wants the step any more.
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
    await new Promise<void>((resume) => systemClock.startTimer(LOOK_MS, resume))
    check()
    hub.outgoing.flush()
  }
}

export const MarketField = OneOf(
  ['moves', 'stays'],
  '`moves` (default): the market moves with the clock. `stays`: it stays at its instant, which ' +
    'is then shown as the new now',
)
export const ForceField = Type.Boolean({
  description: 'allow a call that grows up to 31 days of market instead of 2; it may take minutes',
})

/** How the market goes with the clock. */
export interface MarketMove {
  market?: 'moves' | 'stays' | undefined
  force?: boolean | undefined
}

/**
 * Moves the clock of a call's sandbox, once it is stored where to. It is done when every push has
 * been queued, and, where signatures name the machine's time, when what is signed from then on is
 * told from what was signed before. A market that would have to be grown for too long is a
 * UserError, and then nothing has moved.
 */
export function* moveTime<T>(
  { sandbox, checkWanted }: ControlCall,
  to: Partial<ClockTime>,
  move: (clock: SessionClock, backPressure: BackPressure) => Slices<T>,
  { market = 'moves', force = false }: MarketMove = {},
): Slices<T> {
  const found = sandbox()
  const { clock, player, playhead, changes } = found
  if (market === 'moves' && to.nowMs !== undefined)
    checkGrowth(found.world, playhead.span.startMs + playhead.wantedAt(to.nowMs), force)
  player.settle()
  const moving = move(clock, backPressureOf(found, checkWanted))
  const work = market === 'stays' ? stayingMarket(found, to.nowMs ?? clock.nowMs(), moving) : moving
  const result = yield* changes.moveClock(to, work)
  checkWanted()
  player.catchUp()
  if (found.config.signatureTime === 'machine') yield clock.waitUntilSignaturesDiffer()
  sandbox().growthAhead.review()
  checkWanted()
  return result
}

/**
 * The market stays at its instant while the clock is moved, and from the first alarm on it is shown
 * as of where the clock goes to; a move that ends early takes back the rest.
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
