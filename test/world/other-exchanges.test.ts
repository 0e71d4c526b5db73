/** Other exchanges follow the venue, each with its own deviation, and are consistent everywhere. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { EXCHANGES } from '../../src/market/exchanges/exchanges.ts'
import { worldOf } from '../../src/market/world/world.ts'
import {
  COINS,
  closeOf,
  correlation,
  deviation,
  facts,
  KEYS,
  klinesOf,
  mean,
  OWN,
  records,
  sizeOf,
  swapOf,
  together,
} from '../fixtures/exchange-series.ts'
import { SHIFT_MS, world } from '../fixtures/futures-queries.ts'
import { factsAt } from '../fixtures/small-world.ts'

test("volumes follow the venue's, closer on some exchanges than on others", () => {
  for (const coin of COINS)
    for (const periodS of [60, 3600]) {
      const own = klinesOf(OWN[coin] as string, periodS)
      const found = KEYS.map((key) =>
        correlation(...together(own, klinesOf(swapOf(coin, key), periodS), sizeOf)),
      )
      for (const one of found) expect(one).toBeWithin(0.75, 0.99)
      expect(new Set(found.map((one) => one.toFixed(3))).size).toBeGreaterThan(3)
    }
})

test('shares drift over days', () => {
  const own = klinesOf(OWN.btc as string, 86_400).slice(1, -1)
  for (const key of KEYS) {
    const [ours, theirs] = together(own, klinesOf(swapOf('btc', key), 86_400), sizeOf)
    const shares = theirs.map((one, at) => one / (ours[at] as number))
    expect(deviation(shares) / mean(shares)).toBeWithin(0.03, 0.4)
  }
})

test('prices deviate by some basis points, more for small coins, and revert in minutes', () => {
  const spreads = COINS.map((coin) => {
    const own = klinesOf(OWN[coin] as string, 60)
    return KEYS.map((key) => {
      const [ours, theirs] = together(own, klinesOf(swapOf(coin, key), 60), closeOf)
      const basis = theirs.map((one, at) => 1e4 * (one / (ours[at] as number) - 1))
      expect(deviation(basis)).toBeWithin(0.4, 6)
      expect(correlation(basis.slice(1), basis.slice(0, -1))).toBeWithin(-0.1, 0.8)
      expect(correlation(basis.slice(60), basis.slice(0, -60))).toBeLessThan(0.4)
      return deviation(basis)
    })
  }) as [number[], number[]]
  expect(mean(spreads[1])).toBeGreaterThan(mean(spreads[0]))
})

test('k-lines are whole, join, and long ones are the sums of short ones', () => {
  for (const symbol of [swapOf('btc', 'gate'), 'solusdt:binance', 'purrusdt:okex']) {
    const minutes = klinesOf(symbol, 60)
    for (const [at, [time, open, high, low, close]] of minutes.entries()) {
      expect(low).toBeLessThanOrEqual(Math.min(open, close))
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
      const before = minutes[at - 1]
      if (before && before[0] === time - 60) expect(open).toBe(before[4])
    }
    const places = 10 ** 5
    for (const [time, open, high, low, close, size] of klinesOf(symbol, 900, 30).slice(0, -1)) {
      const within = minutes.filter(([one]) => one >= time && one < time + 900)
      if (within.length < 15) continue
      expect(open).toBe(within[0]?.[1] as number)
      expect(close).toBe(within.at(-1)?.[4] as number)
      expect(high).toBe(Math.max(...within.map((one) => one[2])))
      expect(low).toBe(Math.min(...within.map((one) => one[3])))
      const units = within.reduce((sum, one) => sum + Math.round(one[5] * places), 0)
      expect(Math.round(size * places)).toBe(units)
    }
  }
})

test("taker flow is independent, half of it with the venue's", () => {
  const partOf = (symbol: string) =>
    records(symbol, 'ftbs', 900).map(({ buyVolume, sellVolume }) => {
      const [bought, sold] = [Number(buyVolume), Number(sellVolume)]
      return bought + sold === 0 ? 0.5 : bought / (bought + sold)
    })
  const own = partOf(OWN.btc as string)
  for (const key of KEYS) {
    const part = partOf(swapOf('btc', key))
    expect(correlation(own, part)).toBeWithin(0.1, 0.97)
    expect(mean(part)).toBeWithin(0.35, 0.65)
  }
})

test('the last price is the best one of a side, in k-lines, books and alerts alike', () => {
  let seen = 0
  for (const ms of [0, 1_234, 17_001, 60_500, 99_999]) {
    const at = factsAt(world, world.endMs - ms, SHIFT_MS)
    const own = at.futures.latestDepth(OWN.btc as string, 1)
    const last = Number(at.market.ticker('BTC')?.price)
    const outside = Math.max(Number(own.bids[0]?.[0]) - last, last - Number(own.asks[0]?.[0]))
    const isWithin = outside <= 0
    for (const key of KEYS)
      for (const symbol of [swapOf('btc', key), `btcusdt:${key}`]) {
        const query = { symbol, periodS: 60, size: 1, openHour: 8 } as const
        const close = Number(runToEnd(at.indicator.klines(query))?.[0]?.[4])
        const { bids, asks } = at.futures.latestDepth(symbol, 500)
        const [bid, ask] = [Number(bids[0]?.[0]), Number(asks[0]?.[0])]
        expect(bid).toBeLessThan(ask)
        expect(Number(at.signal.price(symbol))).toBe(close)
        if (isWithin) expect([bid, ask]).toContain(close)
        else
          expect(Math.min(Math.abs(close - bid), Math.abs(close - ask))).toBeLessThan(outside + 40)
        seen += isWithin ? 1 : 0
      }
  }
  expect(seen).toBeGreaterThan(10)
})

test('each exchange has its own fluctuating book', () => {
  const books = KEYS.map((key) => facts.futures.latestDepth(swapOf('btc', key), 500))
  const firsts = books.map(({ bids }) => JSON.stringify(bids.slice(0, 3)))
  expect(new Set(firsts).size).toBe(KEYS.length)
  const later = factsAt(world, world.endMs - 30_000, SHIFT_MS)
  for (const [at, key] of KEYS.entries()) {
    const then = later.futures.latestDepth(swapOf('btc', key), 500)
    expect(then.bids).not.toEqual(books[at]?.bids as [string, string][])
    const depth = (levels: [string, string][]) =>
      levels.reduce((sum, [, sz]) => sum + Number(sz), 0)
    const share = depth(books[at]?.bids ?? []) / (EXCHANGES[at]?.depth ?? 1)
    expect(share).toBeGreaterThan(0)
  }
})

test('an answer does not depend on earlier requests', () => {
  const again = factsAt(worldOf(world.db, world.memory), world.endMs, SHIFT_MS)
  const asks = KEYS.flatMap((key) => {
    const symbol = swapOf('sol', key)
    return [
      (of: typeof facts) =>
        runToEnd(of.indicator.klines({ symbol, periodS: 3600, size: 40, openHour: 8 })),
      (of: typeof facts) =>
        runToEnd(of.indicator.klines({ symbol, periodS: 60, size: 90, openHour: 8 })),
      (of: typeof facts) => of.futures.fullDepth(symbol),
      (of: typeof facts) =>
        runToEnd(of.futures.liquidations({ symbol, interval: '15m', limit: 50 })),
      (of: typeof facts) =>
        runToEnd(of.futures.estimatedLiquidations({ symbol, limit: 2, cycle: '24h' })),
    ]
  })
  const there = asks.map((ask) => JSON.stringify(ask(facts)))
  const back = asks.toReversed().map((ask) => JSON.stringify(ask(again)))
  expect(back.toReversed()).toEqual(there)
})
