/** Waiting that can be ended. */
import type { SystemClock } from '../../../clock/system-clock.ts'

/** Resolves after a time; rejects with the signal's reason when that comes first. */
export function pause(systemClock: SystemClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = systemClock.startTimer(ms, () => {
      signal.removeEventListener('abort', end)
      resolve()
    })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
