/** Handles Ctrl-C during a run, so that partial results are reported. */
import { hostClock } from '../../clock/system-clock.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The exit code that shells use for Ctrl-C. */
export const INTERRUPTED_CODE = 130

/** A parent launcher may pass the same signal on: within this time it is a duplicate. */
const ECHO_MS = 100

/**
 * Aborts with the first SIGINT or SIGTERM; the next one ends the program at once, by the system's
 * default.
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
