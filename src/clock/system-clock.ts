/** The machine's own time. This is the only file that may read it. */
import { inNextTurn } from '../platform/next-turn.ts'

/** Maximum difference of the two clocks before the machine's counts as set, ms. */
export const CLOCKS_APART_MS = 10

/**
 * Wall time with fractions of a millisecond: it runs with a monotonic clock, and follows the
 * machine's when that is set, or has continued while the machine slept.
 *
 * @param wallMs the machine's wall time in whole ms
 * @param steadyMs a count of ms that never jumps
 */
export function wallClock(wallMs: () => number, steadyMs: () => number): () => number {
  let offsetMs = wallMs() - steadyMs()
  return () => {
    const nowMs = steadyMs() + offsetMs
    const machineMs = wallMs()
    if (Math.abs(machineMs - nowMs) < CLOCKS_APART_MS) return nowMs
    offsetMs += machineMs - nowMs
    return machineMs
  }
}

export interface SystemClock {
  /** Wall time, ms since 1970, with fractions; it jumps when the machine's clock is set. */
  nowMs(): number
  /** A count of ms that never jumps. */
  monotonicMs(): number
  /** Calls `task` once, not before `delayMs` have passed; the result cancels it. */
  startTimer(delayMs: number, task: () => void): () => void
  /** Calls `task` once, after all waiting tasks; the result cancels it. */
  runSoon(task: () => void): () => void
  /** Yields to all waiting input and output. */
  yieldTurn(): Promise<void>
}

/** Longer delays overflow the runtime's timers and would fire at once. */
export const TIMER_MAX_MS = 2 ** 31 - 1

export const hostClock: SystemClock = {
  nowMs: wallClock(
    () => Date.now(),
    () => performance.now(),
  ),
  monotonicMs: () => performance.now(),
  startTimer(delayMs, task) {
    const handle = setTimeout(task, Math.min(TIMER_MAX_MS, Math.max(0, delayMs)))
    return () => clearTimeout(handle)
  },
  runSoon: inNextTurn,
  yieldTurn: () => new Promise((resume) => void inNextTurn(resume)),
}

/** A timer that does not keep the process from ending. */
export function startBackgroundTimer(delayMs: number, task: () => void): () => void {
  const handle = setTimeout(task, delayMs)
  // Browsers have numbers for timers, which end with the tab.
  handle.unref?.()
  return () => clearTimeout(handle)
}
