import { expect, test } from 'bun:test'
import { randomSource } from '../../random/random-source.ts'
import { type BarColumns, TRADES_MOST } from './past-bars.ts'
import type { Candle } from './recorded-past.ts'
import { recordedPast } from './recorded-past.ts'
import { minuteMoves } from './typical-month.ts'

const MINUTES = 3 * 1440
const SCALE = { endPx: 100_000, onTick: Math.round, lot: 10, minuteWorth: 5e7, tradeWorth: 2e6 }
const TRAITS = {
  coin: 'BTC',
  dailyVolatility: 0.025,
  marketShare: 0.9,
  sectorShare: 0,
  sector: '',
  trading: 'always',
} as const

/** Four hours, one after the other, each of a thousand lots. */
const CANDLES: Candle[] = [100_500, 101_000, 100_200, 99_800].map((close, at) => {
  const open = at === 0 ? 100_100 : 100_000
  const [high, low] = [Math.max(open, close) + 300, Math.min(open, close) - 200]
  return { open, high, low, close, volume: 10_000 }
})

test('the past goes through its candles, and by the model before and after them', () => {
  const [from, to] = [1000, 1240]
  const bars = pastOf(CANDLES, from)
  for (const [hour, { open, high, low, close, volume }] of CANDLES.entries()) {
    const [first, end] = [from + hour * 60, from + hour * 60 + 60]
    expect(bars.open[first]).toBe(open)
    expect(Math.max(...bars.high.slice(first, end))).toBe(high)
    expect(Math.min(...bars.low.slice(first, end))).toBe(low)
    expect(bars.close[end - 1]).toBe(close)
    expect(total(bars, first, end)).toBe(volume)
  }
  expect(bars.close[from - 1]).toBe(100_100)
  expect(bars.open[to]).toBeWithin(99_700, 99_900)
  expect(bars.close[MINUTES - 1]).toBe(SCALE.endPx)
})

test('before the candles as much is traded as in them', () => {
  const bars = pastOf(CANDLES, 2000)
  expect(total(bars, 0, 2000) / 2000 / (10_000 / 60)).toBeWithin(0.3, 3)
})

test('of an absurd volume the minutes before the candles have as many trades as busy ones', () => {
  const bars = pastOf([{ ...(CANDLES[0] as Candle), volume: 1e12 }], 2000)
  expect(Math.max(...bars.trades.slice(0, 2000))).toBeWithin(10_000, 1.1 * TRADES_MOST)
  expect(total(bars, 0, 2000) / 2000 / (1e12 / 60)).toBeWithin(0.3, 3)
})

test('they may fill all of it, or nothing', () => {
  const all = pastOf(
    Array.from({ length: MINUTES }, () => CANDLES[0] as Candle),
    0,
    1,
  )
  expect(total(all, 0, MINUTES)).toBe(MINUTES * 10_000)
  expect(all.open[0]).toBe(100_100)
  expect(pastOf([], 0).close[MINUTES - 1]).toBe(SCALE.endPx)
})

function pastOf(candles: readonly Candle[], firstMinute: number, minutesEach = 60): BarColumns {
  const [moves] = minuteMoves([TRAITS], MINUTES, Date.UTC(2026, 0, 15), randomSource('1', 'moves'))
  const run = { candles, minutesEach, firstMinute }
  return recordedPast(run, moves as NonNullable<typeof moves>, SCALE, randomSource('2', 'past'))
}

function total(bars: BarColumns, from: number, to: number): number {
  const sum = (column: Float64Array) => column.slice(from, to).reduce((a, b) => a + b, 0)
  return sum(bars.bought) + sum(bars.sold)
}
