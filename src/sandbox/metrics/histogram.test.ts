import { expect, test } from 'bun:test'
import { Histogram } from './server-metrics.ts'

test('a value counts under its bound and every larger one', () => {
  const histogram = new Histogram([1, 10, 100])
  for (const value of [0, 1, 1.001, 10, 99, 100, 101, 1e9]) histogram.observe(value)
  expect(histogram.cumulativeCounts).toEqual([2, 4, 6, 8])
  expect(histogram.sum).toBe(0 + 1 + 1.001 + 10 + 99 + 100 + 101 + 1e9)
})
