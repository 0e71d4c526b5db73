import type { SystemClock } from '../clock/system-clock.ts'
import type { Sandbox } from './sandbox.ts'
import { StorageError } from './storage-status.ts'

/**
 * Calls `drop` when a sandbox was idle for so long; looks again while it is used, or when what is
 * stored of it could not be removed.
 */
export function watchIdle(
  sandbox: Sandbox,
  idleMs: number,
  systemClock: SystemClock,
  drop: () => void,
): void {
  const dropped = () => {
    try {
      drop()
      return true
    } catch (error) {
      if (error instanceof StorageError) return false
      throw error
    }
  }
  const look = () => {
    const leftMs = sandbox.lastUsedMs + idleMs - systemClock.monotonicMs()
    if (leftMs <= 0 && sandbox.stopListeners.size === 0 && dropped()) return
    cancel = systemClock.startTimer(Math.max(leftMs, idleMs / 10), look)
  }
  let cancel = systemClock.startTimer(idleMs, look)
  sandbox.onRemoved(() => cancel())
}
