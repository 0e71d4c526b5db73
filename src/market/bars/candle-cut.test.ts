import { expect, test } from 'bun:test'
import { randomSource } from '../../random/random-source.ts'
import { type BarColumns, emptyBars } from './past-bars.ts'
import { type Candle, cutCandle } from './recorded-past.ts'
import { minuteMoves } from './typical-month.ts'

const MINUTES = 60
const SCALE = {
  endPx: 100_000,
  onTick: Math.round,
  lot: 10,
  minuteWorth: 5e7,
  tradeWorth: 2e6,
}
const TRAITS = {
  coin: 'BTC',
  dailyVolatility: 0.025,
  marketShare: 0.9,
  sectorShare: 0,
  sector: '',
  trading: 'always',
} as const
const [MOVES] = minuteMoves([TRAITS], 1440, Date.UTC(2026, 0, 15), randomSource('1', 'moves'))

test('the minutes of a candle add up to it, whatever it is like', () => {
  const random = randomSource('2', 'candles')
  for (let count = 0; count < 2000; count++) {
    const [a, b, c, d] = Array.from({ length: 4 }, () => 90_000 + Math.floor(9000 * random.unit()))
    const sorted = [a, b, c, d].map(Number).sort((x, y) => x - y) as [
      number,
      number,
      number,
      number,
    ]
    const isRising = random.chance(0.5)
    const candle = {
      low: sorted[0],
      high: sorted[3],
      open: isRising ? sorted[1] : sorted[2],
      close: isRising ? sorted[2] : sorted[1],
      volume: 10 * Math.floor(1e5 * random.unit() ** 8),
    }
    const { bars, px } = cut(candle, count)
    if (candle.volume > 0) expect([summed(bars), px]).toEqual([candle, candle.close])
    else expect([volumeOf(bars), px]).toEqual([0, 91_000])
    expectSound(bars)
  }
})

test('a candle that does not move, and one that only rises', () => {
  const flat = { open: 91_000, high: 91_000, low: 91_000, close: 91_000, volume: 5000 }
  expect(summed(cut(flat, 1).bars)).toEqual(flat)
  const rising = { open: 91_000, high: 92_000, low: 91_000, close: 92_000, volume: 5000 }
  expect(summed(cut(rising, 2).bars)).toEqual(rising)
})

test('turnover is spread over the minutes, and takers buy more of a rising candle', () => {
  const candle = { open: 91_000, high: 94_000, low: 90_500, close: 93_900, volume: 1_000_000 }
  const { bars } = cut(candle, 3)
  expect(bars.trades.filter((trades) => trades > 0)).toHaveLength(MINUTES)
  expect(Math.max(...bars.bought) / volumeOf(bars)).toBeLessThan(0.2)
  const bought = bars.bought.reduce((a, b) => a + b, 0)
  expect(bought / candle.volume).toBeWithin(0.48, 0.75)
})

function cut(candle: Candle, seed: number): { bars: BarColumns; px: number } {
  const moves = MOVES as NonNullable<typeof MOVES>
  const bars = emptyBars(MINUTES)
  const place = { candle, at: 0, minutes: MINUTES, lastPx: 91_000 }
  return { bars, px: cutCandle(bars, place, moves, SCALE, randomSource(String(seed), 'cut')) }
}

const volumeOf = (bars: BarColumns) =>
  bars.bought.reduce((sum, one, at) => sum + one + (bars.sold[at] as number), 0)

function summed(bars: BarColumns): Candle {
  const traded = [...bars.trades.keys()].filter((at) => (bars.trades[at] as number) > 0)
  return {
    open: bars.open[traded[0] as number] as number,
    high: Math.max(...traded.map((at) => bars.high[at] as number)),
    low: Math.min(...traded.map((at) => bars.low[at] as number)),
    close: bars.close[traded.at(-1) as number] as number,
    volume: volumeOf(bars),
  }
}

function expectSound(bars: BarColumns): void {
  for (const at of bars.trades.keys()) {
    const [open, high, low, close] = [bars.open, bars.high, bars.low, bars.close].map(
      (column) => column[at] as number,
    ) as [number, number, number, number]
    expect([high >= Math.max(open, close), low <= Math.min(open, close)]).toEqual([true, true])
    const lots = ((bars.bought[at] as number) + (bars.sold[at] as number)) / SCALE.lot
    expect((bars.trades[at] as number) <= lots).toBe(true)
    expect((bars.trades[at] as number) > 0).toBe(lots > 0)
  }
}

test('a volume far beyond the usual makes larger trades, not millions of them', () => {
  const candle = { open: 91_000, high: 94_000, low: 90_500, close: 93_900, volume: 1e12 }
  const { bars } = cut(candle, 4)
  expect(summed(bars)).toEqual(candle)
  expect(Math.max(...bars.trades)).toBeWithin(1_000, 25_000)
})
