import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  initialMargin,
  isolatedMargin,
  liquidationPx,
  maintenanceMargin,
  positionValue,
  unrealisedPnl,
} from './margin.ts'

const BTC = { pxDecimals: 1, szDecimals: 5, maxLeverage: 40 }
const USD = 1_000_000

test('value, PnL and margins of a position', () => {
  const long = { sz: 100_000, cost: 95_000 * USD }
  expect(positionValue(long.sz, 964_120, BTC)).toBe(96_412 * USD)
  expect(unrealisedPnl(long, 964_120, BTC)).toBe(1_412 * USD)
  expect(unrealisedPnl({ sz: -100_000, cost: -95_000 * USD }, 964_120, BTC)).toBe(-1_412 * USD)
  expect(maintenanceMargin(96_412 * USD, 40)).toBe(1_205_150_000)
  expect(initialMargin(96_412 * USD, 20)).toBe(4_820_600_000)
  expect(isolatedMargin(-95_000 * USD, 10)).toBe(9_500 * USD)
})

test('liquidation prices of the worked cases', () => {
  // 1 BTC long at 100,000 with 10,000 behind it: 90,000 / (1 - 1/80).
  expect(liquidationPx(100_000, 1_000_000, 10_000 * USD, 0, BTC)).toBe(911_392)
  expect(liquidationPx(-100_000, 1_000_000, 10_000 * USD, 0, BTC)).toBe(1_086_420)
  expect(liquidationPx(100_000, 1_000_000, 100_001 * USD, 0, BTC)).toBeNull()
  expect(liquidationPx(0, 1_000_000, USD, 0, BTC)).toBeNull()
})

test('other positions bring the liquidation price nearer', () => {
  const alone = liquidationPx(100_000, 1_000_000, 10_000 * USD, 0, BTC) ?? 0
  const beside = liquidationPx(100_000, 1_000_000, 10_000 * USD, 2_000 * USD, BTC) ?? 0
  expect(beside).toBeGreaterThan(alone)
})

test('at the liquidation price equity meets maintenance, within a step of the price', () => {
  const sizes = fc.integer({ min: 1_000, max: 10_000_000 }).map((n) => n)
  const part = fc.integer({ min: 2, max: 90 })
  fc.assert(
    fc.property(sizes, part, fc.boolean(), fc.integer({ min: 1, max: 50 }), (n, pct, long, max) => {
      const of = { ...BTC, maxLeverage: max }
      const sz = long ? n : -n
      const equity = Math.floor((positionValue(sz, 1_000_000, of) * pct) / 100)
      const px = liquidationPx(sz, 1_000_000, equity, 0, of)
      if (px === null) return
      const value = positionValue(sz, px, of)
      const start = positionValue(sz, 1_000_000, of)
      const left = equity + Math.sign(sz) * (value - start)
      const step = positionValue(sz, 1, of)
      expect(Math.abs(left - maintenanceMargin(value, max))).toBeLessThanOrEqual(2 * step + 2)
    }),
  )
})
