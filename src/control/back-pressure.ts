import type { BackPressure } from '../clock/clock-move.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { hubOf, type SubscriptionHub } from '../session/subscription-hub.ts'

const LOOK_MS = 1

/**
 * Waits between alarms until every client keeps up, so that a long step loses nothing. A client
 * that takes nothing for long is not waited for again in the same step. `check` throws when nobody
 * wants the step any more.
 */
export function backPressureOf(sandbox: Sandbox, check: () => void): BackPressure {
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
