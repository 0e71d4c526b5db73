/**
 * The machine's own time. This is the only file that may ask for it.
 */
export interface Machine {
  /** Wall time, ms since 1970, with fractions. */
  nowMs(): number
  /** A count of ms that never jumps. */
  monotonicMs(): number
  /** Calls `task` once, not before `delayMs` have passed; the answer takes it back. */
  timer(delayMs: number, task: () => void): () => void
  /** Calls `task` once, after whatever is waiting now; the answer takes it back. */
  soon(task: () => void): () => void
  /** Lets everything that is waiting for input or output have a turn. */
  breathe(): Promise<void>
}

/** Longer delays than this overflow the runtime's timers and would ring at once. */
const LONGEST_MS = 2 ** 31 - 1

export const machine: Machine = {
  nowMs: () => performance.timeOrigin + performance.now(),
  monotonicMs: () => performance.now(),
  timer(delayMs, task) {
    const handle = setTimeout(task, Math.min(LONGEST_MS, Math.max(0, delayMs)))
    return () => clearTimeout(handle)
  },
  soon(task) {
    const handle = setImmediate(task)
    return () => clearImmediate(handle)
  },
  breathe: () => new Promise((resume) => setImmediate(resume)),
}
