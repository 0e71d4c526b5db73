import { expect, test } from 'bun:test'
import { randomSource } from './random-source.ts'

/** Share of the standard normal distribution beyond so many deviations, on both sides. */
const BEYOND = new Map([
  [0.5, 0.617075],
  [1, 0.317311],
  [2, 0.0455],
  [3, 0.0027],
  [3.7, 0.000216],
  [4.2, 0.0000267],
])

test('a column of normal draws has the mean, the variance and the tails of the law', () => {
  const count = 2_000_000
  const draws = randomSource(3, 'column').normals(count)
  const mean = (of: (draw: number) => number) =>
    draws.reduce((sum, draw) => sum + of(draw), 0) / count
  expect(mean((draw) => draw)).toBeCloseTo(0, 2)
  expect(mean((draw) => draw ** 2)).toBeCloseTo(1, 2)
  expect(Math.abs(mean((draw) => draw ** 3))).toBeLessThan(0.01)
  expect(Math.abs(mean((draw) => draw ** 4) - 3)).toBeLessThan(0.03)
  for (const [deviations, share] of BEYOND) {
    const seen = draws.filter((draw) => Math.abs(draw) > deviations).length
    expect(Math.abs(seen - share * count)).toBeLessThan(5 * Math.sqrt(share * count))
  }
})

test('columns of one source are one sequence, which other draws go on from', () => {
  const [whole, parts] = [randomSource(3), randomSource(3)]
  const column = whole.normals(1000)
  expect([...parts.normals(400), ...parts.normals(600)]).toEqual([...column])
  expect(parts.unit()).toBe(whole.unit())
  expect(randomSource(4).normals(3)).not.toEqual(column.slice(0, 3))
})
