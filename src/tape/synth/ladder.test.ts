import { expect, test } from 'bun:test'
import { ladder } from './ladder.ts'

test('neighbouring rungs are one tick apart, also where the tick changes', () => {
  const dollars = ladder(1)
  expect([99_999, 100_000, 100_001, 186_412].map(dollars.text)).toEqual([
    '9999.9',
    '10000',
    '10001',
    '96412',
  ])
  const cents = ladder(4)
  expect([100_000, 100_001, 190_000, 190_001].map(cents.text)).toEqual([
    '10',
    '10.001',
    '100',
    '100.01',
  ])
})

test('the rung of a price is where the price of the rung stands', () => {
  for (const pxDecimals of [0, 1, 2, 3, 4, 6]) {
    const rungs = ladder(pxDecimals)
    for (let rung = 1; rung < 700_000; rung += 977)
      expect(rungs.rungOf(rungs.unitsOf(rung))).toBe(rung)
  }
})

test('a price between two ticks stands between their rungs', () => {
  const rungs = ladder(4)
  const [low, high] = [rungs.unitsOf(143_620), rungs.unitsOf(143_621)]
  expect(rungs.rungOf((low + high) / 2)).toBeCloseTo(143_620.5, 9)
})
