import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  add,
  px,
  raw,
  sign,
  subtract,
  sz,
  times,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import {
  initialMargin,
  isolatedMargin,
  liquidationPx,
  maintenanceMargin,
  positionValue,
  unrealisedPnl,
} from './position.ts'

const BTC = { pxDecimals: 1, szDecimals: 5, maxLeverage: 40 }
const USD = 1_000_000
const dollars = (count: number) => usd(count * USD)

test('value, PnL and margins of a position', () => {
  const long = { sz: sz(100_000), cost: dollars(95_000) }
  const short = { sz: sz(-100_000), cost: dollars(-95_000) }
  expect(positionValue(long.sz, px(964_120), BTC)).toBe(dollars(96_412))
  expect(unrealisedPnl(long, px(964_120), BTC)).toBe(dollars(1_412))
  expect(unrealisedPnl(short, px(964_120), BTC)).toBe(dollars(-1_412))
  expect(maintenanceMargin(dollars(96_412), 40)).toBe(usd(1_205_150_000))
  expect(initialMargin(dollars(96_412), 20)).toBe(usd(4_820_600_000))
  expect(isolatedMargin(dollars(-95_000), 10)).toBe(dollars(9_500))
})

test('liquidation prices of the worked cases', () => {
  // 1 BTC long at 100,000 with 10,000 behind it: 90,000 / (1 - 1/80).
  const from = px(1_000_000)
  const liquidated = (size: number, equity: Usd) => liquidationPx(sz(size), from, equity, ZERO, BTC)
  expect(liquidated(100_000, dollars(10_000))).toBe(px(911_392))
  expect(liquidated(-100_000, dollars(10_000))).toBe(px(1_086_420))
  expect(liquidated(100_000, dollars(100_001))).toBeNull()
  expect(liquidated(0, dollars(1))).toBeNull()
})

test('other positions bring the liquidation price nearer', () => {
  const at = (other: Usd) =>
    liquidationPx(sz(100_000), px(1_000_000), dollars(10_000), other, BTC) ?? ZERO
  expect(raw(at(dollars(2_000)))).toBeGreaterThan(raw(at(ZERO)))
})

test('at the liquidation price equity meets maintenance, within a step of the price', () => {
  const sizes = fc.integer({ min: 1_000, max: 10_000_000 }).map((n) => n)
  const part = fc.integer({ min: 2, max: 90 })
  fc.assert(
    fc.property(sizes, part, fc.boolean(), fc.integer({ min: 1, max: 50 }), (n, pct, long, max) => {
      const of = { ...BTC, maxLeverage: max }
      const size = sz(long ? n : -n)
      const start = positionValue(size, px(1_000_000), of)
      const equity = usd(Math.floor((raw(start) * pct) / 100))
      const at = liquidationPx(size, px(1_000_000), equity, ZERO, of)
      if (at === null) return
      const value = positionValue(size, at, of)
      const left = add(equity, times(subtract(value, start), sign(size)))
      const step = raw(positionValue(size, px(1), of))
      const gap = raw(subtract(left, maintenanceMargin(value, max)))
      expect(Math.abs(gap)).toBeLessThanOrEqual(2 * step + 2)
    }),
  )
})
