import type { BackPressure } from '../clock/session-clock.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { type HubSession, hubOf, type SubscriptionHub } from '../session/subscription-hub.ts'

/** How long one step waits for a client that takes nothing, ms of the machine. */
const PATIENCE_MS = 5_000
const LOOK_MS = 1

/**
 * Waits between alarms until every client keeps up, so that a long step loses nothing. A client
 * that takes nothing for long is not waited for again in the same step. `check` throws when nobody
 * wants the step any more.
 */
export function backPressureOf(sandbox: Sandbox, check: () => void): BackPressure {
  const hub = hubOf(sandbox)
  const givenUp = new WeakSet<HubSession>()
  return () => {
    check()
    return hub.isKeepingUp || awaitedOf(hub, givenUp).length === 0
      ? undefined
      : waitForClients(sandbox, hub, givenUp, check)
  }
}

const awaitedOf = (hub: SubscriptionHub, givenUp: WeakSet<HubSession>): HubSession[] =>
  [...hub.sessions].filter((session) => !session.isReady && !givenUp.has(session))

async function waitForClients(
  { systemClock }: Sandbox,
  hub: SubscriptionHub,
  givenUp: WeakSet<HubSession>,
  check: () => void,
): Promise<void> {
  const untilMs = systemClock.monotonicMs() + PATIENCE_MS
  for (let slow = awaitedOf(hub, givenUp); slow.length > 0; slow = awaitedOf(hub, givenUp)) {
    if (systemClock.monotonicMs() >= untilMs) for (const session of slow) givenUp.add(session)
    else await new Promise<void>((resume) => systemClock.startTimer(LOOK_MS, resume))
    check()
    for (const session of slow) session.flush()
  }
}
