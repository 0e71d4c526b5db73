import { expect, test } from 'bun:test'
import { type Bar, merged, returnsOf } from '../../bench/realism/bars.ts'
import { autocorrelation, correlation } from '../../bench/realism/statistics/correlation.ts'
import { deviation, kurtosis, skewness } from '../../bench/realism/statistics/moments.ts'
import { rankExponent, tailExponent } from '../../bench/realism/statistics/power-law.ts'
import { median, partOf, quantile } from '../../bench/realism/statistics/quantiles.ts'
import { randomSource } from '../../src/random/random-source.ts'

const NORMAL = draws((random) => random.normal())

test('moments of two even values, of a skew sample and of a normal one', () => {
  expect(deviation([1, -1, 1, -1])).toBe(1)
  expect(kurtosis([1, -1, 1, -1])).toBe(1)
  expect(skewness([0, 0, 0, 1])).toBeGreaterThan(1)
  expect(kurtosis(NORMAL)).toBeWithin(2.8, 3.2)
  expect(kurtosis([])).toBeNaN()
})

test('correlation is 1 for a line, and autocorrelation falls with the lag', () => {
  expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1)
  expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1)
  expect(correlation([1, 1, 1], [3, 2, 1])).toBeNaN()
  let level = 0
  const remembered = NORMAL.map((shock) => {
    level = 0.8 * level + shock
    return level
  })
  expect(autocorrelation(remembered, 1)).toBeWithin(0.75, 0.85)
  expect(autocorrelation(remembered, 3)).toBeWithin(0.45, 0.57)
  expect(autocorrelation(NORMAL, 1)).toBeWithin(-0.03, 0.03)
})

test('exponents equal those of the drawn values', () => {
  const drawn = draws((random) => (1 - random.unit()) ** (-1 / 1.5))
  expect(tailExponent(drawn, 0.1)).toBeWithin(1.35, 1.65)
  expect(tailExponent([3, 2, 1], 0.5)).toBeNaN()
  expect(rankExponent([1, 1 / 2, 1 / 3, 1 / 4])).toBeCloseTo(1)
})

test('quantiles lie between neighbours', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2)
  expect(median([])).toBeNaN()
  expect(partOf([1, 2, 3, 4], (value) => value > 3)).toBe(0.25)
})

test('bars are merged to longer ones', () => {
  const bars = [bar(0, 10, 12, 9, 11), bar(60, 11, 15, 11, 14), bar(120, 14, 14, 8, 9)]
  expect(merged(bars, 120_000)).toEqual([
    { timeMs: 0, open: 10, high: 15, low: 9, close: 14, volume: 2, trades: 4 },
    { timeMs: 120_000, open: 14, high: 14, low: 8, close: 9, volume: 1, trades: 2 },
  ])
  expect(returnsOf(bars)[1]).toBeCloseTo(Math.log(14 / 11))
})

function bar(second: number, open: number, high: number, low: number, close: number): Bar {
  return { timeMs: second * 1000, open, high, low, close, volume: 1, trades: 2 }
}

function draws(draw: (random: ReturnType<typeof randomSource>) => number): number[] {
  const random = randomSource('1', 'statistics')
  return Array.from({ length: 20_000 }, () => draw(random))
}
