/** The clock of a `Timestamp`, and the wait of a clock's move for it. */
import { expect, test } from 'bun:test'
import { controlCaller } from '../fixtures/control-caller.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'

/** How often two moves within one second of the machine have waited for the next. */
async function waitsFor(signatureTime: 'machine' | 'session'): Promise<number> {
  let nowMs = 1_700_000_000_500
  let waits = 0
  const clock = {
    ...fixedClock,
    nowMs: () => nowMs,
    startTimer(delayMs: number, task: () => void) {
      if (delayMs <= 0 || delayMs > 1000) return fixedClock.startTimer(delayMs, task)
      waits++
      nowMs += delayMs
      queueMicrotask(task)
      return () => {}
    },
  }
  const registry = await fakeRegistry({ signatureTime, speed: 0 }, 60, clock)
  const control = controlCaller(registry)
  for (const ms of [20_000, 20_000])
    await control('clock.advance', { params: { id: 'default' }, body: { ms } })
  registry.close()
  return waits
}

test('a far move waits for the next second where signatures name machine time', async () => {
  expect(await waitsFor('machine')).toBe(1)
  expect(await waitsFor('session')).toBe(0)
})
