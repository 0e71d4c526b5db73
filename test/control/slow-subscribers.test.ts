/** A step waits for slow subscribers, but not for ever for a stalled one. */
import { expect, test } from 'bun:test'
import { hostClock, type SystemClock } from '../../src/clock/system-clock.ts'
import type { Session } from '../../src/sandbox/session/session.ts'
import { hubOf } from '../../src/sandbox/session/subscription-hub.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { fakeRegistry, START_MS } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'

/** A sandbox with a client whose readiness is `isReady`, and a machine of quick timers. */
async function slowClient(isReady: (looks: number) => boolean) {
  let passedMs = 0
  const systemClock: SystemClock = {
    ...fixedClock,
    monotonicMs: () => passedMs,
    startTimer(delayMs, task) {
      passedMs += delayMs
      return hostClock.runSoon(task)
    },
  }
  const registry = await fakeRegistry({}, 60, systemClock)
  const mine = await registry.create({ name: 'mine' })
  /** The session time at each check of the client. */
  const looks: number[] = []
  const sendQueue = {
    get isBlocked() {
      looks.push(mine.clock.nowMs() - START_MS)
      return !isReady(looks.length)
    },
    length: 0,
    pendingBytes: 1,
  }
  const session = { sendQueue, caller: { key: null }, flush() {} } as unknown as Session
  const hub = hubOf(mine)
  hub.addSession(session)
  // It gets a frame with each alarm, each 10 ms.
  const send = () => {
    hub.noteFlushed(session, false)
    mine.clock.after(10, send)
  }
  mine.clock.after(10, send)
  const ask = controlCaller(registry)
  const advance = () => ask('clock.advance', { body: { ms: 100 } })
  return { ask, advance, looks, passedMs: () => passedMs }
}

test('between two alarms a step waits until a client is ready again', async () => {
  const { advance, looks } = await slowClient((count) => count > 50)
  expect((await advance()).body.fired).toHaveLength(10)
  expect(looks.filter((atMs) => atMs === looks[0]).length).toBeGreaterThan(50)
  expect(looks.at(-1)).toBe(100)
})

test('a step waits for a stalled client once', async () => {
  const { advance, passedMs } = await slowClient(() => false)
  expect((await advance()).status).toBe(200)
  expect(passedMs()).toBeGreaterThanOrEqual(5_000)
  expect(passedMs()).toBeLessThan(6_000)
  await advance()
  expect(passedMs()).toBeGreaterThanOrEqual(10_000)
})

test('a waiting step ends with its sandbox', async () => {
  const { ask, advance } = await slowClient((count) => {
    if (count === 100) void ask('sandbox.reset')
    return false
  })
  expect((await advance()).status).toBe(409)
})
