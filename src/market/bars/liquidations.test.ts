import { expect, test } from 'bun:test'
import { randomSource } from '../../random/random-source.ts'
import { forcedClosings } from './liquidations.ts'

const SIGMA = 0.0005
const MINUTES = 40_000
const random = randomSource(1, 'returns')
/** A fall in one hour and a rise in another, by several hourly deviations. */
const [FALL, RISE] = [20_000, 30_000]
const close = new Float64Array(MINUTES)
let log = 10
for (let minute = 0; minute < MINUTES; minute++) {
  const drift = (at: number) => (minute >= at && minute < at + 60 ? 1.2 * SIGMA : 0)
  log += SIGMA * random.normal() - drift(FALL) + drift(RISE)
  close[minute] = Math.exp(log)
}
const INTEREST_USD = 1e9
const closings = forcedClosings(
  {
    low: close,
    high: close,
    close,
    size: () => 1,
    interestUsd: () => INTEREST_USD,
    maxLeverage: 40,
    leastUsd: 500,
  },
  randomSource(1, 'closings'),
)
const within = (fromMinute: number, minutes: number) =>
  closings.filter(({ minute }) => minute >= fromMinute && minute < fromMinute + minutes)
const worth = (found: typeof closings) => found.reduce((sum, { usd }) => sum + usd, 0)

test('there are some in nearly every hour, less than a hundredth of all positions a day', () => {
  const hours = new Set(closings.map(({ minute }) => (minute / 60) | 0))
  expect(hours.size).toBeGreaterThan(0.8 * (MINUTES / 60))
  const perDay = worth(closings) / INTEREST_USD / (MINUTES / 1440)
  expect(perDay).toBeWithin(0.0005, 0.01)
})

test('many more of the side that a move is against', () => {
  const perHour = worth(closings) / (MINUTES / 60)
  for (const [from, position] of [
    [FALL, 'long'],
    [RISE, 'short'],
  ] as const) {
    const found = within(from, 60)
    expect(worth(found)).toBeGreaterThan(4 * perHour)
    const against = found.filter((one) => one.position === position)
    expect(worth(against)).toBeGreaterThan(0.9 * worth(found))
  }
})

test('sizes have a tail with an exponent between 1 and 1.4', () => {
  const sizes = closings.map(({ usd }) => usd).sort((a, b) => b - a)
  const tail = sizes.slice(0, Math.floor(sizes.length / 10))
  const least = tail.at(-1) as number
  const exponent = tail.length / tail.reduce((sum, size) => sum + Math.log(size / least), 0)
  expect(exponent).toBeGreaterThan(1)
  expect(exponent).toBeLessThan(1.4)
  expect(sizes.at(-1)).toBeGreaterThanOrEqual(500)
})
