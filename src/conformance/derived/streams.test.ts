import { expect, test } from 'bun:test'
import { isDoubled, isEachTwice } from './streams.ts'

const frames = (...times: number[]) => times.map((time) => ({ data: { time } }))

test('pushes common to both connections are compared, whatever else came on one', () => {
  expect(isDoubled(frames(1, 2, 2, 3, 3, 4), frames(2, 3), false)).toBe(true)
  expect(isDoubled(frames(1, 2, 3, 4, 5, 6), frames(2, 3), false)).toBe(false)
})

test('connections read at different times are not compared', () => {
  expect(isDoubled(frames(1, 2, 3, 4, 5), frames(5), false)).toBe(false)
  expect(isDoubled(frames(1, 1, 2, 2), frames(7), false)).toBe(true)
  expect(isDoubled(frames(1, 2, 3, 4, 5), frames(9), true)).toBe(false)
})

test('states of a common span are counted, where each comes on one connection only', () => {
  expect(isDoubled(frames(2, 3, 4, 6, 7, 8, 10, 11), frames(1, 5, 9, 12), true)).toBe(true)
  expect(isDoubled(frames(2, 4, 6, 8), frames(1, 3, 5, 7), true)).toBe(false)
  const timeless = (count: number) => Array.from({ length: count }, (_, at) => ({ data: { at } }))
  expect(isDoubled(timeless(9), [{ data: {} }], true)).toBe(false)
})

test('several duplicated pushes cannot be chance', () => {
  expect(isEachTwice(frames(1, 1, 2, 2))).toBe(true)
  expect([isEachTwice(frames(1, 1)), isEachTwice(frames(1, 1, 2))]).toEqual([false, false])
})
