import { expect, test } from 'bun:test'
import { MINUTE_MS } from '../../clock/instant.ts'
import { ForwardLevel, leftOf, PriceTrends, premiumOf, turnoverByMoves } from './market-regimes.ts'

const SINCE_MS = Date.UTC(2026, 0, 15, 12)
const PARTS = [
  { sd: 0.5, halfLife: 240 },
  { sd: 0.3, halfLife: 2400 },
]
const SALTS = Array.from({ length: 400 }, (_, at) => 7919 * at + 13)

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length

test('a level begins at zero and strays as far as its variance says', () => {
  for (const minutes of [0, 60, 600, 20_000]) {
    const timeMs = SINCE_MS + minutes * MINUTE_MS
    const levels = SALTS.map((salt) => new ForwardLevel(PARTS, salt, SINCE_MS).at(timeMs))
    const square = mean(levels.map(({ level }) => level ** 2))
    const { variance } = levels[0] as { variance: number }
    if (minutes === 0) expect([square, variance]).toEqual([0, 0])
    else expect(square / variance).toBeWithin(0.75, 1.3)
  }
})

test('a level forgets half of itself in its half-life', () => {
  const parts = [{ sd: 1, halfLife: 240 }]
  const products = SALTS.map((salt) => {
    const level = new ForwardLevel(parts, salt, SINCE_MS - 1e10)
    return [0, 240, 960].map((minutes) => level.at(SINCE_MS + minutes * MINUTE_MS).level)
  }) as [number, number, number][]
  expect(mean(products.map(([now, then]) => now * then))).toBeWithin(0.38, 0.62)
  expect(mean(products.map(([now, , late]) => now * late))).toBeWithin(-0.08, 0.2)
})

test('a level is the same in whichever order it is read', () => {
  const times = Array.from({ length: 50 }, (_, at) => SINCE_MS + at * 1_234_567)
  const [one, other] = [1, 2].map(() => new ForwardLevel(PARTS, 42, SINCE_MS)) as [
    ForwardLevel,
    ForwardLevel,
  ]
  const forward = times.map((timeMs) => one.at(timeMs).level)
  const back = times.toReversed().map((timeMs) => other.at(timeMs).level)
  expect(back.reverse()).toEqual(forward)
})

test('what is unusual at first is left to the slow parts later', () => {
  expect(leftOf(PARTS, 0)).toBe(1)
  expect(leftOf(PARTS, 240)).toBeWithin(0.5, 0.65)
  expect(leftOf(PARTS, 100_000)).toBeCloseTo(0, 6)
})

test('a trend is measured in its own deviations, and read from as many closes as there are', () => {
  const trends = new PriceTrends(0.001)
  expect(trends.of('positions')).toBe(0)
  for (let minute = 0; minute < 3000; minute++) trends.add(minute * 0.001)
  // A steady rise of a deviation a minute is far beyond what chance makes.
  expect(trends.of('turnover')).toBeGreaterThan(4)
  expect(trends.of('positions')).toBeGreaterThan(trends.of('turnover'))
  expect(trends.move()).toBeCloseTo(1, 6)
})

test('who was liquidated pays no more for leverage: the premium leans to the other side', () => {
  const [fallen, risen] = [-0.1, 0.1].map((lost) => premiumOf(0.001, 0, 0, lost)) as [
    number,
    number,
  ]
  expect(fallen).toBeLessThan(0)
  expect(risen).toBeGreaterThan(0)
  expect(premiumOf(0.001, 0, 0, -0.9)).toBe(premiumOf(0.001, 0, 0, -0.5))
})

test('premiums lean upward and follow the trend, turnover follows moves of either sign', () => {
  expect(premiumOf(0.001, 1, 0, 0)).toBeGreaterThan(-premiumOf(0.001, -1, 0, 0))
  expect(premiumOf(0.001, 0, 2, 0)).toBeGreaterThan(0)
  expect(premiumOf(0.001, 0, -2, 0)).toBeLessThan(0)
  expect(turnoverByMoves(-8, 0)).toBe(turnoverByMoves(8, 0))
  expect(turnoverByMoves(8, 4) / turnoverByMoves(0, 0)).toBeGreaterThan(5)
})
