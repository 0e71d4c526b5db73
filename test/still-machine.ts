/** A machine whose wall clock stands, so that no test sees when it runs, nor how slowly. */
import { type Machine, machine } from '../src/clock/machine.ts'

const SECOND_MS = 1000
const WEEK_MS = 7 * 86_400_000
let wallMs = Number(process.env.TEST_NOW ?? Date.UTC(2026, 2, 4, 10, 20, 30)) + 990.3

/**
 * Its wall time is the same in every run. It moves on only when somebody waits for the next second,
 * as a control plane does after a long step: then by a week, so that it is the same second of the
 * minute, of the day and of the week as before. Timers and the monotonic clock are real.
 */
export const still: Machine = {
  ...machine,
  nowMs: () => wallMs,
  timer(delayMs, task) {
    const waitsForNext = delayMs === SECOND_MS - (wallMs % SECOND_MS)
    return machine.timer(delayMs, () => {
      if (waitsForNext) wallMs += WEEK_MS
      task()
    })
  },
}

/** The second in which it stands. */
export const stillS = (): number => Math.floor(wallMs / SECOND_MS)
