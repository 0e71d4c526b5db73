/**
 * The machine's own time. This is the only file that may read it.
 */
import { inNextTurn } from '../platform/next-turn.ts'
import { wallClock } from './wall-clock.ts'

export interface SystemClock {
  /** Wall time, ms since 1970, with fractions; it jumps when somebody sets the machine's clock. */
  nowMs(): number
  /** A count of ms that never jumps. */
  monotonicMs(): number
  /** Calls `task` once, not before `delayMs` have passed; the result cancels it. */
  startTimer(delayMs: number, task: () => void): () => void
  /** Calls `task` once, after whatever is waiting now; the result cancels it. */
  runSoon(task: () => void): () => void
  /** Lets everything that is waiting for input or output have a turn. */
  yieldTurn(): Promise<void>
}

/** Longer delays than this overflow the runtime's timers and would fire at once. */
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
  // Browsers have numbers for them, and end with the tab.
  handle.unref?.()
  return () => clearTimeout(handle)
}
