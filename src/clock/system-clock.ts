/**
 * The machine's own time. This is the only file that may ask for it.
 */
export interface SystemClock {
  /** Wall time, ms since 1970, with fractions. */
  nowMs(): number
  /** A count of ms that never jumps. */
  monotonicMs(): number
  /** Calls `task` once, not before `delayMs` have passed; the answer takes it back. */
  startTimer(delayMs: number, task: () => void): () => void
  /** Calls `task` once, after whatever is waiting now; the answer takes it back. */
  runSoon(task: () => void): () => void
  /** Lets everything that is waiting for input or output have a turn. */
  yieldTurn(): Promise<void>
}

/** Longer delays than this overflow the runtime's timers and would ring at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

export const hostClock: SystemClock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  monotonicMs: () => performance.now(),
  startTimer(delayMs, task) {
    const handle = setTimeout(task, Math.min(TIMER_MAX_MS, Math.max(0, delayMs)))
    return () => clearTimeout(handle)
  },
  runSoon(task) {
    const handle = setImmediate(task)
    return () => clearImmediate(handle)
  },
  yieldTurn: () => new Promise((resume) => setImmediate(resume)),
}
