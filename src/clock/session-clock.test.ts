import { expect, test } from 'bun:test'
import { SessionClock } from './session-clock.ts'
import type { SystemClock } from './system-clock.ts'
import type { Slices } from './turns.ts'

/** A machine whose time the test moves. */
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

test('a held clock stands still while the machine runs, and continues from there', async () => {
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

test('setting the time forward fires due alarms', async () => {
  const clock = new SessionClock('held', 0, stillMachine().systemClock)
  let fired = 0
  clock.at(500, () => fired++)
  await clock.set({ nowMs: 1_000 })
  expect([fired, clock.nowMs()]).toEqual([1, 1_000])
})

test('a machine instant ages by the time of the session clock since', async () => {
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

/** Alarms every 10 ms that record their own time. */
function noting(clock: SessionClock): number[] {
  const fired: number[] = []
  const again = () => {
    fired.push(clock.nowMs())
    clock.after(10, again)
  }
  clock.after(10, again)
  return fired
}

test('a move in slices fires an alarm in each, and shows its present time', () => {
  const clock = new SessionClock('held', 0, stillMachine().systemClock)
  const fired = noting(clock)
  const work = clock.advancing(35)
  for (const timeMs of [10, 20, 30]) {
    expect(work.next().done).toBe(false)
    expect([fired.at(-1), clock.nowMs()]).toEqual([timeMs, timeMs])
  }
  expect(work.next()).toMatchObject({ done: true, value: { more: 0 } })
  expect(clock.nowMs()).toBe(35)
})

test('a move waits for the end of another, in the order of the calls', async () => {
  const clock = new SessionClock('held', 0, stillMachine().systemClock)
  const fired = noting(clock)
  const gate = Promise.withResolvers<void>()
  const first = clock.advance(20, () => gate.promise)
  const second = clock.advance(20)
  const third = clock.set({ nowMs: 50 })
  expect(fired).toEqual([10])
  gate.resolve()
  expect((await first).alarms.map(({ timeMs }) => timeMs)).toEqual([10, 20])
  expect((await second).alarms.map(({ timeMs }) => timeMs)).toEqual([30, 40])
  await third
  expect(fired).toEqual([10, 20, 30, 40, 50])
})

test('a move that ends early stays at its present time, and ages nothing beyond', async () => {
  const { systemClock, pass } = stillMachine()
  for (const state of ['held', 'running'] as const) {
    const clock = new SessionClock(state, 0, systemClock)
    const signed = systemClock.nowMs()
    noting(clock)
    pass(1)
    const work = clock.advancing(60_000)
    work.next()
    work.next()
    pass(1_000)
    expect(clock.state).toBe(state)
    expect(clock.saved).toMatchObject({ state, nowMs: 20 })
    expect(() => work.throw(new Error('enough'))).toThrow('enough')
    expect([clock.state, clock.nowMs()]).toEqual([state, 20])
    expect(clock.elapsedSinceMs(signed)).toBe(20)
    pass(5)
    expect(clock.nowMs()).toBe(state === 'held' ? 20 : 25)
  }
})

test('a running clock fires in slices, and a move continues at their time', () => {
  const { systemClock, pass } = stillMachine()
  const works: Slices<void>[] = []
  const clock = new SessionClock('running', 0, systemClock, (work) => works.push(work))
  const fired: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) clock.at(10, () => fired.push(name))
  pass(10)
  const [firing] = works as [Slices<void>]
  firing.next()
  firing.next()
  clock.at(10, () => fired.push('late'))
  expect([fired, works.length]).toEqual([['a', 'b'], 1])
  const move = clock.advancing(5)
  move.next()
  expect(firing.next().done).toBe(true)
  while (!move.next().done);
  expect(fired).toEqual(['a', 'b', 'c', 'd', 'late'])
})
