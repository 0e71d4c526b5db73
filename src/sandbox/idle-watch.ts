import type { SystemClock } from '../clock/system-clock.ts'
import type { Sandbox } from './sandbox.ts'

/** Calls `drop` when a sandbox was idle for so long; looks again while it is used. */
export function watchIdle(
  sandbox: Sandbox,
  idleMs: number,
  systemClock: SystemClock,
  drop: () => void,
): void {
  const look = () => {
    const leftMs = sandbox.lastUsedMs + idleMs - systemClock.monotonicMs()
    if (leftMs <= 0 && !sandbox.hasConnections) drop()
    else cancel = systemClock.startTimer(Math.max(leftMs, idleMs / 10), look)
  }
  let cancel = systemClock.startTimer(idleMs, look)
  sandbox.onRemoved(() => cancel())
}
