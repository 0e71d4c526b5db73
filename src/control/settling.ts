import { machine } from '../clock/machine.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { type Hub, hubOf } from '../session/hub.ts'

/** Turns of the machine that a client who reads nothing can hold up the clock. */
const PATIENCE = 10_000

/** Waits until every client keeps up, so that a long step of the clock loses nothing. */
export function settled(sandbox: Sandbox): Promise<void> | undefined {
  const hub = hubOf(sandbox)
  return hub.keepsUp ? undefined : wait(hub)
}

async function wait(hub: Hub): Promise<void> {
  for (let turn = 0; turn < PATIENCE && !hub.keepsUp; turn++) await machine.breathe()
}
