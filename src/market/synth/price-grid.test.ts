import { expect, test } from 'bun:test'
import { priceGrid } from './order-matching.ts'

test('neighbouring prices are one tick apart, also where the tick changes', () => {
  const tenths = priceGrid({ pxDecimals: 1 })
  expect([99_999, 100_000, 100_001, 186_412].map(tenths.unitsAt)).toEqual([
    99_999, 100_000, 100_010, 964_120,
  ])
  const fourDecimals = priceGrid({ pxDecimals: 4 })
  expect([100_000, 100_001, 190_000, 190_001].map(fourDecimals.unitsAt)).toEqual([
    100_000, 100_010, 1_000_000, 1_000_100,
  ])
})

test('the tick of a price is the tick that has that price', () => {
  for (const pxDecimals of [0, 1, 2, 3, 4, 6]) {
    const ticks = priceGrid({ pxDecimals })
    for (let tick = 1; tick < 700_000; tick += 977)
      expect(ticks.tickAt(ticks.unitsAt(tick))).toBe(tick)
  }
})

test('prices of one step are all one tick apart', () => {
  const { tickAt, unitsAt } = priceGrid({ pxDecimals: 2, tickUnits: 10 })
  expect([616_590, 616_600, 616_605].map(tickAt)).toEqual([61_659, 61_660, 61_660.5])
  expect(unitsAt(61_659)).toBe(616_590)
})

test('a price between two ticks has a number between theirs', () => {
  const ticks = priceGrid({ pxDecimals: 4 })
  const [low, high] = [ticks.unitsAt(143_620), ticks.unitsAt(143_621)]
  expect(ticks.tickAt((low + high) / 2)).toBeCloseTo(143_620.5, 9)
})
