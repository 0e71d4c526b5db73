import { expect, test } from 'bun:test'
import { hostClock, type SystemClock } from './system-clock.ts'
import { runToEnd, type Slices, Turns } from './turns.ts'

/** A machine on which time passes with each slice only, and rounds are begun by hand. */
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

/** Work of so many slices, each of which takes a millisecond and is written down. */
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

test('long work goes on round by round, and what comes meanwhile goes first', async () => {
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

test('what the runtime does in a round does not keep new work from being done at once', () => {
  const { systemClock, pass } = machine()
  const turns = new Turns(systemClock, 2)
  expect(turns.run(a, workOf([], 'x', 1, pass))).toBe('x')
  pass(100)
  expect(turns.run(a, workOf([], 'y', 1, pass))).toBe('y')
  expect(turns.run(a, workOf([], 'z', 1, pass))).toBeInstanceOf(Promise)
})

test('work that nobody waits for is begun behind what comes in its round', async () => {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 2)
  const log: string[] = []
  const later = turns.runLater(a, workOf(log, 'x', 3, pass))
  expect(turns.run(a, workOf(log, 'y', 1, pass))).toBe('y')
  while (round());
  expect(await later).toBe('x')
  expect(log).toEqual(['y1', 'x1', 'x2', 'x3'])
})

test('of many pieces each owner has one in turn, and each owner keeps its order', () => {
  const { systemClock, pass, round } = machine()
  const turns = new Turns(systemClock, 2)
  const log: string[] = []
  for (const name of ['p', 'q', 'r', 's', 't']) turns.run(a, workOf(log, name, 1, pass))
  turns.run(b, workOf(log, 'y', 1, pass))
  while (round());
  expect(log).toEqual(['p1', 'q1', 'r1', 'y1', 's1', 't1'])
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

test('an error of the work is its answer, at once and later', async () => {
  const turns = new Turns()
  function* failing(wait: Promise<void> | null): Slices<void> {
    if (wait) yield wait
    throw new Error('broken')
  }
  expect(() => turns.run(a, failing(null))).toThrow('broken')
  await expect(turns.run(a, failing(Promise.resolve()))).rejects.toThrow('broken')
})

test('to the end at once, unless it waits', () => {
  expect(runToEnd(workOf([], 'x', 9, () => 0))).toBe('x')
  const waiting = (function* (): Slices<void> {
    yield Promise.resolve()
  })()
  expect(() => runToEnd(waiting)).toThrow('cannot be done at once')
})
