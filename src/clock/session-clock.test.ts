import { expect, test } from 'bun:test'
import { SessionClock } from './session-clock.ts'
import type { SystemClock } from './system-clock.ts'

/** A machine whose time is moved by hand. */
function stillMachine(nowMs = 1_000_000) {
  let elapsed = 0
  const timers: { atMs: number; task: () => void }[] = []
  const systemClock: SystemClock = {
    nowMs: () => nowMs + elapsed,
    monotonicMs: () => elapsed,
    startTimer(delayMs, task) {
      const timer = { atMs: elapsed + delayMs, task }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
    runSoon: () => () => {},
    yieldTurn: async () => {},
  }
  const pass = (ms: number) => {
    elapsed += ms
    for (const timer of timers.filter(({ atMs }) => atMs <= elapsed)) {
      timers.splice(timers.indexOf(timer), 1)
      timer.task()
    }
  }
  return { systemClock, pass, timers }
}

test('alarms fire in order of time, then of setting, at their own time', async () => {
  const clock = new SessionClock('held', 0, stillMachine().systemClock)
  const fired: string[] = []
  const note = (name: string) => () => fired.push(`${name}@${clock.nowMs()}`)
  clock.at(30, note('c'))
  clock.at(10, note('a'))
  clock.at(10, note('b'))
  const cancel = clock.at(20, note('never'))
  cancel()
  clock.at(20, () => clock.at(25, note('nested')))
  await clock.advance(29)
  expect(fired).toEqual(['a@10', 'b@10', 'nested@25'])
  await clock.advance(1)
  expect(fired.at(-1)).toBe('c@30')
})

test('one long step fires the same as many short ones', async () => {
  const run = async (steps: number[]) => {
    const clock = new SessionClock('held', 0, stillMachine().systemClock)
    const fired: number[] = []
    const again = () => {
      fired.push(clock.nowMs())
      clock.after(7, again)
    }
    clock.after(7, again)
    for (const step of steps) await clock.advance(step)
    return fired
  }
  expect(await run([50])).toEqual(await run(Array(50).fill(1)))
})

test('a running clock follows the machine and sets one timer', () => {
  const { systemClock, pass, timers } = stillMachine()
  const clock = new SessionClock('running', 5_000, systemClock)
  const fired: number[] = []
  clock.after(100, () => fired.push(clock.nowMs()))
  clock.after(50, () => fired.push(clock.nowMs()))
  expect(timers.length).toBe(1)
  pass(50)
  pass(50)
  expect(fired).toEqual([5_050, 5_100])
  expect(timers.length).toBe(0)
})

test('a held clock stands still while the machine goes on, and goes on from there', async () => {
  const { systemClock, pass } = stillMachine()
  const clock = new SessionClock('running', 0, systemClock)
  pass(10)
  await clock.set({ state: 'held' })
  pass(1_000)
  expect(clock.nowMs()).toBe(10)
  await clock.set({ state: 'running' })
  pass(5)
  expect(clock.nowMs()).toBe(15)
})

test('setting the time forward fires what falls due', async () => {
  const clock = new SessionClock('held', 0, stillMachine().systemClock)
  let fired = 0
  clock.at(500, () => fired++)
  await clock.set({ nowMs: 1_000 })
  expect([fired, clock.nowMs()]).toEqual([1, 1_000])
})

test('a machine instant ages by what the session clock has moved since', async () => {
  const { systemClock, pass } = stillMachine(1_000_000)
  const clock = new SessionClock('held', 0, systemClock)
  pass(40_000)
  const signed = systemClock.nowMs()
  pass(20_000)
  expect(clock.elapsedSinceMs(signed)).toBe(0)
  await clock.advance(31_000)
  expect(clock.elapsedSinceMs(signed)).toBe(31_000)
  pass(1_000)
  expect(clock.elapsedSinceMs(systemClock.nowMs() - 500)).toBe(0)
  expect(clock.elapsedSinceMs(systemClock.nowMs() + 5_000)).toBe(-5_000)
  expect(clock.elapsedSinceMs(1_000_000 - 60_000)).toBe(31_000 + 60_000)
})

test('a stopped clock fires no more', async () => {
  const clock = new SessionClock('held', 0, stillMachine().systemClock)
  let fired = 0
  clock.at(10, () => fired++)
  clock.stop()
  await clock.advance(100)
  expect(fired).toBe(0)
})
