import { expect, test } from 'bun:test'
import { hostClock, type SystemClock } from './system-clock.ts'
import { oneSlice, runToEnd, type Slices, Turns, WorkAccount } from './turns.ts'

/** A machine on which time passes with slices only; the test begins rounds. */
function machine() {
  let nowMs = 0
  let soon: (() => void)[] = []
  const systemClock: SystemClock = {
    ...hostClock,
    monotonicMs: () => nowMs,
    runSoon(task) {
      soon.push(task)
      return () => {}
    },
  }
  const round = () => {
    const due = soon
    soon = []
    for (const task of due) task()
    return due.length > 0
  }
  return { systemClock, pass: (ms: number) => (nowMs += ms), round }
}

const [a, b] = [{ owner: 'a' }, { owner: 'b' }]

/** Work of so many slices, each of which takes a millisecond and is recorded. */
function workOf(log: string[], name: string, slices: number, pass: (ms: number) => void) {
  return (function* (): Slices<string> {
    for (let n = 1; n <= slices; n++) {
      log.push(`${name}${n}`)
      pass(1)
      if (n < slices) yield
    }
    return name
  })()
}

test('short work is answered at once', () => {
  const { systemClock, pass } = machine()
  expect(new Turns(systemClock, 4).run(a, workOf([], 'x', 3, pass))).toBe('x')
})

test('long work continues round by round, and new work goes first', async () => {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 2)
  const log: string[] = []
  const long = turns.run(a, workOf(log, 'x', 6, pass))
  const short = turns.run(b, workOf(log, 'y', 1, pass))
  expect(log).toEqual(['x1', 'x2'])
  round()
  expect(log).toEqual(['x1', 'x2', 'y1', 'x3', 'x4'])
  while (round());
  expect(await Promise.all([long, short])).toEqual(['x', 'y'])
  expect(log.slice(-2)).toEqual(['x5', 'x6'])
  expect(turns.waitingCount).toBe(0)
})

test('the work of the runtime in a round does not delay new work', () => {
  const { systemClock, pass } = machine()
  const turns = new Turns(systemClock, 2)
  expect(turns.run(a, workOf([], 'x', 1, pass))).toBe('x')
  pass(100)
  expect(turns.run(a, workOf([], 'y', 1, pass))).toBe('y')
  expect(turns.run(a, workOf([], 'z', 1, pass))).toBeInstanceOf(Promise)
})

test('background work begins after the new work of its round', async () => {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 2)
  const log: string[] = []
  const later = turns.runLater(a, workOf(log, 'x', 3, pass))
  expect(turns.run(a, workOf(log, 'y', 1, pass))).toBe('y')
  while (round());
  expect(await later).toBe('x')
  expect(log).toEqual(['y1', 'x1', 'x2', 'x3'])
})

test('owners with many pieces take turns, and each keeps its order', () => {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 2)
  const log: string[] = []
  for (const name of ['p', 'q', 'r', 's', 't']) turns.run(a, workOf(log, name, 1, pass))
  turns.run(b, workOf(log, 'y', 1, pass))
  while (round());
  // The first has had two milliseconds already.
  expect(log).toEqual(['p1', 'q1', 'y1', 'r1', 's1', 't1'])
})

test('a promise is awaited, and its failure is thrown into the work', async () => {
  const turns = new Turns()
  const work = (function* (): Slices<string> {
    yield Promise.resolve()
    try {
      yield Promise.reject(new Error('no'))
    } catch (error) {
      return (error as Error).message
    }
    return 'went on'
  })()
  expect(await turns.run(a, work)).toBe('no')
})

test('an error of the work is thrown, at once and later', async () => {
  const turns = new Turns()
  function* failing(wait: Promise<void> | null): Slices<void> {
    if (wait) yield wait
    throw new Error('broken')
  }
  expect(() => turns.run(a, failing(null))).toThrow('broken')
  await expect(turns.run(a, failing(Promise.resolve()))).rejects.toThrow('broken')
})

test('work runs to its end at once, unless it waits', () => {
  expect(runToEnd(workOf([], 'x', 9, () => 0))).toBe('x')
  const waiting = (function* (): Slices<void> {
    yield Promise.resolve()
  })()
  expect(() => runToEnd(waiting)).toThrow('cannot be done at once')
})

/** Begins so many pieces, each of one slice of so many ms. */
function begin(
  turns: Turns,
  owner: object,
  count: number,
  sliceMs: number,
  pass: Pass,
  log: string[],
) {
  const name = owner === a ? 'a' : 'b'
  const piece = () => {
    log.push(name)
    pass(sliceMs)
  }
  for (let n = 0; n < count; n++) void turns.run(owner, oneSlice(piece))
}
type Pass = (ms: number) => unknown

test('an owner whose pieces cost ten times as much has a tenth as many', () => {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 2)
  const log: string[] = []
  begin(turns, a, 40, 10, pass, log)
  begin(turns, b, 40, 1, pass, log)
  while (log.filter((name) => name === 'b').length < 40) round()
  expect(log.filter((name) => name === 'a').length).toBeLessThan(8)
  expect(turns.accountOf(b).usedMs).toBe(40)
})

test('an owner over its budget waits while others have work', () => {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 2)
  const log: string[] = []
  begin(turns, a, 1, 300, pass, log)
  expect(turns.accountOf(a).isOverBudgetAt(300)).toBeTrue()
  begin(turns, a, 3, 1, pass, log)
  begin(turns, b, 3, 1, pass, log)
  while (round());
  expect(log.join('')).toBe('abbbaaa')
  pass(10_000)
  expect(turns.accountOf(a).isOverBudgetAt(systemClock.monotonicMs())).toBeFalse()
  expect(turns.accountOf(a).waitedMs).toBeGreaterThan(0)
})

test('an owner over its budget is served at once while no other has work', () => {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 4)
  const log: string[] = []
  begin(turns, a, 1, 300, pass, log)
  while (round());
  expect(
    turns.run(
      a,
      oneSlice(() => 'at once'),
    ),
  ).toBe('at once')
  log.length = 0
  begin(turns, a, 6, 2, pass, log)
  const rounds = [log.splice(0).join('')]
  while (round()) rounds.push(log.splice(0).join(''))
  expect(rounds).toEqual(['aa', 'aa', 'aa', ''])
})

test('work of a tenant is charged to one account, whatever its owner', () => {
  const { systemClock, pass } = machine()
  const turns = new Turns(systemClock, 2)
  const account = new WorkAccount()
  const log: string[] = []
  begin(turns, { account }, 1, 1, pass, log)
  begin(turns, { account }, 1, 1, pass, log)
  expect(account.usedMs).toBe(2)
  expect(account.recentShareAt(2)).toBeCloseTo(0.0002, 5)
})

/** A machine on which one owner was served at once ninety times while the other had no work. */
function afterLongService() {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 2)
  for (let n = 0; n < 90; n++) {
    begin(turns, b, 1, 1, pass, [])
    round()
  }
  return { turns, pass, round, log: [] as string[] }
}

test('an owner that was served at once for long does not wait behind the burst of another', () => {
  const { turns, pass, round, log } = afterLongService()
  begin(turns, a, 60, 1, pass, log)
  begin(turns, b, 3, 1, pass, log)
  while (round());
  expect(log.lastIndexOf('b')).toBeLessThan(10)
  expect(log).toHaveLength(63)
})

test('an owner that was idle for long has saved up no turns', () => {
  const { turns, pass, round, log } = afterLongService()
  begin(turns, b, 10, 1, pass, log)
  begin(turns, a, 10, 1, pass, log)
  while (round());
  expect(log.slice(2, 12).filter((name) => name === 'b').length).toBeGreaterThan(3)
})

test('an owner who has had less than others begins in the round of their new work', () => {
  const { systemClock, pass } = machine()
  const turns = new Turns(systemClock, 2)
  for (const name of ['p', 'q']) turns.run(a, workOf([], name, 1, pass))
  expect(turns.run(a, workOf([], 'r', 1, pass))).toBeInstanceOf(Promise)
  expect(turns.run(b, workOf([], 'y', 1, pass))).toBe('y')
  expect(turns.run(b, workOf([], 'z', 1, pass))).toBeInstanceOf(Promise)
  expect(turns.run({ owner: 'c' }, workOf([], 'u', 1, pass))).toBe('u')
  expect(turns.run({ owner: 'd' }, workOf([], 'v', 1, pass))).toBeInstanceOf(Promise)
})
