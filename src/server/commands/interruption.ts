/** Ctrl-C during a run: what is known by then is told. */
import { hostClock } from '../../clock/system-clock.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** As shells say that a program ended by Ctrl-C. */
export const INTERRUPTED_CODE = 130

/** A launcher above passes the same signal on: within this time it is the first one again. */
const ECHO_MS = 100

/**
 * Aborts with the first SIGINT or SIGTERM; the next one ends the program at once, as it does any
 * other.
 */
export function interruption(): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  const stop = () => {
    for (const name of SIGNALS) process.off(name, onSignal)
  }
  const onSignal = () => {
    hostClock.startTimer(ECHO_MS, stop)
    controller.abort()
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  return { signal: controller.signal, stop }
}
