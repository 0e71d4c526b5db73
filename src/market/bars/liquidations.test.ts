import { expect, test } from 'bun:test'
import { randomSource } from '../../random/random-source.ts'
import { forcedClosings } from './liquidations.ts'

const SIGMA = 0.0005
const MINUTES = 40_000
const random = randomSource(1, 'returns')
const returns = new Float64Array(MINUTES).map(() => SIGMA * random.normal())
/** Falls in one hour and rises in another, by several hourly deviations. */
const [FALL, RISE] = [20_000, 30_000]
for (let minute = 0; minute < 60; minute++) {
  returns[FALL + minute] = (returns[FALL + minute] as number) - 0.5 * SIGMA
  returns[RISE + minute] = (returns[RISE + minute] as number) + 0.5 * SIGMA
}
const sigma = new Float64Array(MINUTES).fill(SIGMA)
const closings = forcedClosings(returns, sigma, 12, randomSource(1, 'closings'))
const within = (fromMinute: number, minutes: number) =>
  closings.filter(({ minute }) => minute >= fromMinute && minute < fromMinute + minutes)

test('there are some of both sides nearly every hour', () => {
  const sides = new Set(closings.map(({ minute, position }) => `${(minute / 60) | 0} ${position}`))
  expect(sides.size).toBeGreaterThan(0.85 * 2 * (MINUTES / 60))
})

test('many more of the side that a move is against', () => {
  const perHour = closings.length / (MINUTES / 60)
  for (const [from, position] of [
    [FALL, 'long'],
    [RISE, 'short'],
  ] as const) {
    const found = within(from, 75)
    expect(found.length).toBeGreaterThan(4 * perHour)
    const against = found.filter((one) => one.position === position)
    expect(against.length).toBeGreaterThan(0.7 * found.length)
  }
})

test('sizes have a tail with an exponent between 1 and 1.4', () => {
  const sizes = closings.map(({ size }) => size).sort((a, b) => b - a)
  const tail = sizes.slice(0, Math.floor(sizes.length / 10))
  const least = tail.at(-1) as number
  const exponent = tail.length / tail.reduce((sum, size) => sum + Math.log(size / least), 0)
  expect(exponent).toBeGreaterThan(1)
  expect(exponent).toBeLessThan(1.4)
  expect(sizes.at(-1)).toBeGreaterThanOrEqual(1)
})
