import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { randomSource } from '../../random/random-source.ts'
import { minuteTrades } from './minute-trades.ts'
import type { MinuteBar } from './past-bars.ts'

const LOT = 10
const bars: fc.Arbitrary<MinuteBar> = fc
  .record({
    low: fc.integer({ min: 1, max: 1e6 }),
    range: fc.nat(1e4),
    highFirst: fc.boolean(),
    bought: fc.nat(1e6),
    sold: fc.nat(1e6),
    trades: fc.integer({ min: 2, max: 300 }),
  })
  .map(({ low, range, bought, sold, ...rest }) => ({
    open: low,
    low,
    high: low + range,
    close: low + Math.floor(range / 2),
    bought: LOT * (bought + rest.trades),
    sold: LOT * (sold + rest.trades),
    ...rest,
  }))

test('the trades of a minute add up to it and stay within it', () => {
  fc.assert(
    fc.property(bars, fc.nat(1000), (bar, seed) => {
      const trades = minuteTrades(bar, LOT, randomSource(seed))
      const sizeOf = (isBuy: boolean) =>
        trades.filter((one) => one.isBuy === isBuy).reduce((sum, { size }) => sum + size, 0)
      expect([trades.length, sizeOf(true), sizeOf(false)]).toEqual([
        bar.trades,
        bar.bought,
        bar.sold,
      ])
      for (const { px, size, offsetMs } of trades) {
        expect(size % LOT).toBe(0)
        expect(size).toBeGreaterThan(0)
        expect(px).toBeGreaterThanOrEqual(bar.low - 1e-6)
        expect(px).toBeLessThanOrEqual(bar.high + 1e-6)
        expect(offsetMs).toBeLessThan(60_000)
      }
      const prices = trades.map(({ px }) => px)
      if (trades.length > 3) {
        expect([prices[0], prices.at(-1)]).toEqual([bar.open, bar.close])
        expect(Math.min(...prices)).toBeCloseTo(bar.low)
        expect(Math.max(...prices)).toBeCloseTo(bar.high)
      }
      const times = trades.map(({ offsetMs }) => offsetMs)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }),
  )
})
