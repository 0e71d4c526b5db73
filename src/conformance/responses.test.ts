import { expect, test } from 'bun:test'
import { MOVED, whileStill } from './responses.ts'

/** Reads a sequence of prices: each request, of any operation, gets the next. */
function readerOf(prices: readonly number[]) {
  let at = 0
  const read = () => Promise.resolve(prices[at++] ?? Number.NaN)
  const compare = async (seen: number) => {
    const beside = await read()
    return seen === beside ? null : `${seen} is not ${beside}`
  }
  return whileStill(read, compare)
}

test('a value that settles to a match holds', async () => {
  expect(await readerOf([5, 5])).toBeNull()
  expect(await readerOf([5, 6, 5, 5])).toBeNull()
})

test('a price that moves, or moves and reverts, is no evidence', async () => {
  expect(await readerOf([5, 6, 7])).toBe(MOVED)
  expect(await readerOf([5, 6, 5, 6, 7])).toBe(MOVED)
})

test('a difference from a value at rest is wrong', async () => {
  expect(await readerOf([5, 6, 5, 6, 5])).toBe('5 is not 6')
})
