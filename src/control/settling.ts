import { machine } from '../clock/machine.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { hubOf } from '../session/hub.ts'

/** Turns of the machine that a client who reads nothing can hold up the clock. */
const PATIENCE = 10_000

/** Waits until every client keeps up, so that a long step of the clock loses nothing. */
export function settled(sandbox: Sandbox): Promise<void> | undefined {
  const hub = hubOf(sandbox)
  const keepUp = () => [...hub.sessions].every((session) => session.ready)
  return keepUp() ? undefined : wait(keepUp)
}

async function wait(keepUp: () => boolean): Promise<void> {
  for (let turn = 0; turn < PATIENCE && !keepUp(); turn++) await machine.breathe()
}
