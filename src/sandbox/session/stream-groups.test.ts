import { expect, test } from 'bun:test'
import { groupsByWeight, WEIGHT_OF_MADE } from './event-dispatch.ts'
import type { Stream } from './stream.ts'

const streams = Array.from({ length: 130 }, () => ({})) as Stream[]

test('groups keep the order, and few make one', () => {
  const groups = groupsByWeight(streams, () => 1)
  expect(groups.flat()).toEqual(streams)
  expect(groups.map(({ length }) => length)).toEqual([64, 64, 2])
  expect(groupsByWeight(streams.slice(0, 64), () => 1)).toHaveLength(1)
})

test('a group has few accounts that have to be generated', () => {
  const groups = groupsByWeight(streams, () => WEIGHT_OF_MADE)
  expect(groups.flat()).toEqual(streams)
  expect(Math.max(...groups.map(({ length }) => length))).toBe(2)
})
