import { expect, test } from 'bun:test'
import { MOVED, whileStill } from './responses.ts'

/** Looks at prices that follow one another: each request, of whatever operation, sees the next. */
function lookAt(prices: readonly number[]) {
  let at = 0
  const read = () => Promise.resolve(prices[at++] ?? Number.NaN)
  const compare = async (seen: number) => {
    const beside = await read()
    return seen === beside ? null : `${seen} is not ${beside}`
  }
  return whileStill(read, compare)
}

test('what is the same beside it holds, also where it was not at first', async () => {
  expect(await lookAt([5, 5])).toBeNull()
  expect(await lookAt([5, 6, 5, 5])).toBeNull()
})

test('a price that moves, or goes there and back, decides nothing', async () => {
  expect(await lookAt([5, 6, 7])).toBe(MOVED)
  expect(await lookAt([5, 6, 5, 6, 7])).toBe(MOVED)
})

test('what differs beside something that stands still is wrong', async () => {
  expect(await lookAt([5, 6, 5, 6, 5])).toBe('5 is not 6')
})
