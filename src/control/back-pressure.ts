import { hostClock } from '../clock/system-clock.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { hubOf, type SubscriptionHub } from '../session/subscription-hub.ts'

/** Turns of the event loop for which a client that reads nothing can hold up the clock. */
const TURNS_MAX = 10_000

/** Waits until every client keeps up, so that a long advance of the clock loses nothing. */
export function waitForSubscribers(sandbox: Sandbox): Promise<void> | undefined {
  const hub = hubOf(sandbox)
  return hub.isKeepingUp ? undefined : waitForHub(hub)
}

async function waitForHub(hub: SubscriptionHub): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX && !hub.isKeepingUp; turn++) await hostClock.yieldTurn()
}
