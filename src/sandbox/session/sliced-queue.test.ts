import { expect, test } from 'bun:test'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import { SlicedQueue } from './outgoing-frames.ts'

/** A queue whose turns and round of the event loop are ended by the test. */
function queue() {
  const handled: number[] = []
  const work: Slices<void>[] = []
  const soon: (() => void)[] = []
  const runSoon = (task: () => void) => {
    soon.push(task)
    return () => {}
  }
  const inTurns = (one: Slices<void>) => work.push(one)
  const sliced = new SlicedQueue<number>({ runSoon }, inTurns, (one) => void handled.push(one))
  const nextRound = () => {
    for (const task of soon.splice(0)) task()
  }
  return { sliced, handled, work, nextRound }
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

test('a few items are handled at once, in every round', () => {
  const { sliced, handled, work, nextRound } = queue()
  for (const number of numbers(600)) {
    if (number % 200 === 0) nextRound()
    sliced.add(number)
    expect(handled.at(-1)).toBe(number)
  }
  expect(work).toEqual([])
})

test('many items are handled in slices, each once and in order', () => {
  const { sliced, handled, work, nextRound } = queue()
  for (const number of numbers(1_000)) sliced.add(number)
  expect(work).toHaveLength(1)
  const first = handled.length
  expect(handled).toEqual(numbers(first))
  expect(first).toBeLessThan(1_000)
  work[0]?.next()
  expect(handled).toHaveLength(first + 1)
  nextRound()
  sliced.add(1_000)
  expect(work).toHaveLength(1)
  runToEnd(work[0] as Slices<void>)
  expect(handled).toEqual(numbers(1_001))
  sliced.add(1_001)
  expect(handled).toEqual(numbers(1_002))
})
