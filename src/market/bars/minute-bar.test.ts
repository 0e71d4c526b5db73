import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { randomSource } from '../../random/random-source.ts'
import {
  areaBy,
  BAR_MS,
  emptyBars,
  type MinuteBar,
  meanPxAt,
  offsetOf,
  priceIn,
  rangeIn,
  reachedIn,
  shareOf,
  tradesBefore,
  worthOf,
} from './past-bars.ts'

const bars: fc.Arbitrary<MinuteBar> = fc
  .record({
    prices: fc.array(fc.integer({ min: 1, max: 1e7 }), { minLength: 4, maxLength: 4 }),
    highFirst: fc.boolean(),
    bought: fc.nat(1e8),
    sold: fc.nat(1e8),
    trades: fc.nat(10_000),
  })
  .map(({ prices, ...rest }) => {
    const [low, open, close, high] = prices.toSorted((a, b) => a - b) as [
      number,
      number,
      number,
      number,
    ]
    return { open, high, low, close, ...rest }
  })
const offsets = fc.integer({ min: 0, max: BAR_MS })

test('a price is never outside its bar, and the ends are open and close', () => {
  fc.assert(
    fc.property(bars, offsets, (bar, offsetMs) => {
      const price = priceIn(bar, offsetMs)
      expect(price).toBeGreaterThanOrEqual(bar.low - 1e-6)
      expect(price).toBeLessThanOrEqual(bar.high + 1e-6)
      expect([priceIn(bar, 0), priceIn(bar, BAR_MS)]).toEqual([bar.open, bar.close])
    }),
  )
})

test('the range of the whole minute is the bar, that of a part holds its prices', () => {
  fc.assert(
    fc.property(
      bars,
      offsets,
      offsets,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (bar, a, b, part) => {
        const [fromMs, toMs] = [Math.min(a, b), Math.max(a, b)]
        const [low, high] = rangeIn(bar, fromMs, toMs)
        const within = priceIn(bar, fromMs + part * (toMs - fromMs))
        expect(within).toBeGreaterThanOrEqual(low - 1e-6)
        expect(within).toBeLessThanOrEqual(high + 1e-6)
        expect(rangeIn(bar, 0, BAR_MS)).toEqual([bar.low, bar.high])
      },
    ),
  )
})

test('progress never goes back, and is complete at the end', () => {
  fc.assert(
    fc.property(bars, offsets, offsets, (bar, a, b) => {
      const [earlier, later] = [Math.min(a, b), Math.max(a, b)]
      const [from, to] = [tradesBefore(bar, earlier), tradesBefore(bar, later)]
      expect(from).toBeLessThanOrEqual(to)
      expect(tradesBefore(bar, BAR_MS)).toBe(bar.trades)
      expect(shareOf(bar, bar.bought, from)).toBeLessThanOrEqual(shareOf(bar, bar.bought, to))
      if (bar.trades > 0) expect(shareOf(bar, bar.bought, bar.trades)).toBe(bar.bought)
      expect(offsetOf(bar, to)).toBeLessThanOrEqual(later)
    }),
  )
})

test('the worth of a part is its size at prices of the part', () => {
  fc.assert(
    fc.property(bars, offsets, offsets, (bar, a, b) => {
      const [earlier, later] = [Math.min(a, b), Math.max(a, b)]
      const counts = [tradesBefore(bar, earlier), tradesBefore(bar, later)] as const
      const [fromMs, toMs] = counts.map((count) => offsetOf(bar, count)) as [number, number]
      const worth = worthOf(bar.sold, areaBy(bar, toMs)) - worthOf(bar.sold, areaBy(bar, fromMs))
      const size = shareOf(bar, bar.sold, counts[1]) - shareOf(bar, bar.sold, counts[0])
      const [low, high] = rangeIn(bar, fromMs, toMs)
      // Sizes and worths are rounded to whole units.
      expect(worth).toBeGreaterThanOrEqual(low * (size - 1) - 2)
      expect(worth).toBeLessThanOrEqual(high * (size + 1) + 2)
    }),
  )
})

test('a price in the range is reached, when the path first comes to it', () => {
  const parts = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(bars, parts, fc.boolean(), (bar, part, above) => {
      const px = bar.low + part * (bar.high - bar.low)
      const reached = reachedIn(bar, px, above, 0) as number
      expect(reached).toBeGreaterThanOrEqual(0)
      // The steepest part: of a leg's way in an eighth, and of a fifth of the size in a second.
      const perMs = (24 * 12 * (bar.high - bar.low)) / BAR_MS
      const beyond = (priceIn(bar, reached) - px) * (above ? 1 : -1)
      expect(beyond).toBeGreaterThanOrEqual(-perMs - 1e-6)
      if (reached > 0) expect(beyond).toBeLessThanOrEqual(perMs + 1e-6)
      for (let at = 0; at < reached - 1; at += 997)
        expect(above ? priceIn(bar, at) < px + 1e-6 : priceIn(bar, at) > px - 1e-6).toBe(true)
    }),
  )
})

test('a price beyond the range is not reached', () => {
  fc.assert(
    fc.property(bars, offsets, (bar, fromMs) => {
      expect(reachedIn(bar, bar.high + 1, true, fromMs)).toBeUndefined()
      expect(reachedIn(bar, bar.low - 1, false, fromMs)).toBeUndefined()
    }),
  )
})

test('the mean price of a bar in columns is, to the last bit, that of the bar', () => {
  fc.assert(
    fc.property(bars, (bar) => {
      const columns = emptyBars(1)
      columns.highFirst[0] = bar.highFirst ? 1 : 0
      for (const name of ['open', 'high', 'low', 'close'] as const) columns[name][0] = bar[name]
      expect(meanPxAt(columns, 0)).toBe(areaBy(bar, BAR_MS))
    }),
  )
})

test('seconds differ as on a tape: in trades, in sizes, and in the way of the price', () => {
  const random = randomSource('1', 'seconds')
  const spreads = { counts: 0, sizes: 0, means: 0, turns: 0 }
  const MINUTES = 300
  for (let minute = 0; minute < MINUTES; minute++) {
    const low = 100_000 + random.between(0, 1e5)
    const high = low + 100 + random.between(0, 500)
    const [open, close] = [random.between(low, high), random.between(low, high)]
    const size = { bought: 500_000, sold: 400_000, trades: 90 }
    const bar = { open, high, low, close, highFirst: random.chance(0.5), ...size }
    const parts = Array.from({ length: 12 }, (_, at) => partOf(bar, at * 5000, at * 5000 + 5000))
    spreads.counts += deviationOf(parts.map(({ count }) => count))
    spreads.sizes += deviationOf(parts.map((one) => one.size))
    spreads.means += deviationOf(
      parts.filter(({ count }) => count > 0).map((one) => one.size / one.count),
    )
    const ways = parts.map(({ change }) => Math.sign(change))
    spreads.turns += ways.filter((way, at) => at > 0 && way !== ways[at - 1]).length
  }
  const { counts, sizes, means, turns } = spreads
  expect(counts / MINUTES).toBeGreaterThan(0.3)
  expect(sizes / MINUTES).toBeGreaterThan(0.5)
  expect(means / MINUTES).toBeGreaterThan(0.3)
  // Three straight lines turn twice.
  expect(turns / MINUTES).toBeGreaterThan(3)
})

function partOf(bar: MinuteBar, fromMs: number, toMs: number) {
  const [from, to] = [tradesBefore(bar, fromMs), tradesBefore(bar, toMs)]
  const size = shareOf(bar, bar.bought, to) - shareOf(bar, bar.bought, from)
  return { count: to - from, size, change: priceIn(bar, toMs) - priceIn(bar, fromMs) }
}

/** Standard deviation in parts of the mean. */
function deviationOf(list: readonly number[]): number {
  const mean = list.reduce((sum, one) => sum + one, 0) / list.length
  return Math.sqrt(list.reduce((sum, one) => sum + (one / mean - 1) ** 2, 0) / list.length)
}
