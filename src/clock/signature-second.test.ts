import { expect, test } from 'bun:test'
import { ClockAdjustments } from './session-clock.ts'
import { SIGNED_BEHIND_MS, waitUntilSignaturesDiffer } from './signature-second.ts'
import { hostClock } from './system-clock.ts'

const START_MS = 1_700_000_000_000

/** The second of a signature after a move at an instant, by a machine whose clock is behind. */
async function signedAfter(movedAtMs: number, movedMs: number, behindMs: number): Promise<number> {
  let nowMs = START_MS + movedAtMs
  const clock = {
    ...hostClock,
    nowMs: () => nowMs,
    startTimer(delayMs: number, task: () => void) {
      nowMs += delayMs
      queueMicrotask(task)
      return () => {}
    },
  }
  const adjustments = new ClockAdjustments({ machineMs: START_MS, movedMs: 0, running: true })
  adjustments.add(nowMs, movedMs, true)
  // The response takes a moment.
  nowMs += 3
  await waitUntilSignaturesDiffer(adjustments, clock)
  return Math.floor((nowMs - behindMs - START_MS) / 1000)
}

test.each([0, 1, 5, 10, SIGNED_BEHIND_MS])(
  'what is signed after a far move names a later second, on a clock that is %d ms behind too',
  async (behindMs) => {
    for (const movedAtMs of [5_000, 5_004, 5_500, 5_990, 5_998, 5_999.5]) {
      const before = Math.floor((movedAtMs - behindMs) / 1000)
      expect(await signedAfter(movedAtMs, 31_000, behindMs)).toBeGreaterThan(before)
      expect(await signedAfter(movedAtMs, 31_000, behindMs)).toBeGreaterThanOrEqual(6)
    }
  },
)

test('a move that makes no signature too old does not wait', async () => {
  expect(await signedAfter(5_500, 10_000, 0)).toBe(5)
})
