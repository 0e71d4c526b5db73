/** Candles and tickers of a world equal the sums of its bars and trades. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'
import { tradedBetween } from '../fixtures/traded-reference.ts'

const world = await smallWorld()
const COINS = ['BTC', 'SOL', 'xyz:TSLA', 'PURR/USDC']
/** Instants all over the tape, on no particular grid. */
const instants = Array.from({ length: 9 }, (_, at) => world.startMs + 777 + at * 21_111)
const instrumentOf = (coin: string) => world.byCoin.get(coin) as InstrumentRow

test('candles are the sums of bars and trades, in shown time', () => {
  // The first again: later closed candles must not affect an earlier moment.
  const moments = [world.startMs + 20_777, world.endMs - 31_234, world.startMs + 20_777]
  for (const coin of COINS)
    for (const atMs of moments)
      for (const shiftMs of [0, 13_000, -987_654_321])
        for (const [interval, lengthMs] of [
          ['1s', 1_000],
          ['1m', 60_000],
          ['1h', 3_600_000],
        ] as const) {
          const of = instrumentOf(coin)
          const { candles } = factsAt(world, atMs, shiftMs)
          const startTimeMs = atMs - 40 * lengthMs
          const found = runToEnd(candles.between({ coin, interval, startTimeMs })) ?? []
          expect(found.length).toBeGreaterThan(lengthMs > 1_000 ? 30 : coin === 'BTC' ? 5 : 0)
          for (const { t, T, n, o, c, h, l, v } of found) {
            expect((t + shiftMs) % lengthMs).toBe(0)
            expect(T).toBe(t + lengthMs - 1)
            const { open, high, low, close, size, ...counts } =
              tradedBetween(world, of, t, Math.min(T, atMs) + 1) ?? fail(coin, t)
            expect(n).toBe(counts.n)
            const prices = [o, h, l, c].map((px) => Number(px) * 10 ** of.pxDecimals)
            expect(prices.map(Math.round)).toEqual([open, high, low, close])
            expect(Math.round(Number(v) * 10 ** of.szDecimals)).toBe(size)
          }
          const shown = found.map(({ t }) => t)
          for (let t = shown[0] ?? 0; t <= (shown.at(-1) ?? 0); t += lengthMs)
            if (!shown.includes(t))
              expect(tradedBetween(world, of, t, Math.min(t + lengthMs, atMs + 1))?.n ?? 0).toBe(0)
        }
})

function fail(coin: string, atMs: number): never {
  throw new Error(`nothing of ${coin} was traded at ${atMs}`)
}

test('long candles are short ones added up, and the last one is one of them', () => {
  const { candles } = factsAt(world, world.endMs)
  const startTimeMs = world.endMs - 5 * 3_600_000
  for (const coin of COINS) {
    const sums = (interval: string) => {
      const found = runToEnd(candles.between({ coin, interval, startTimeMs })) ?? []
      const from = Math.ceil(startTimeMs / 3_600_000) * 3_600_000
      const inside = found.filter(({ t }) => t >= from)
      const volume = inside.reduce((sum, { v }) => sum + Math.round(Number(v) * 1e5), 0)
      const count = inside.reduce((sum, { n }) => sum + n, 0)
      const high = Math.max(...inside.map(({ h }) => Number(h)))
      return { count, high, volume }
    }
    expect(sums('1m')).toEqual(sums('1h'))
    expect(sums('15m')).toEqual(sums('1h'))
    const last = candles.last(coin, '15m')
    const listed = runToEnd(candles.between({ coin, interval: '15m', startTimeMs }))?.at(-1)
    expect(last).toMatchObject(listed ?? {})
    expect(candles.at(coin, '15m', last?.t ?? 0)).toEqual(last)
  }
})

test('at most the 5000 newest candles are returned, from the one that contains the start', () => {
  const { candles } = factsAt(world, world.endMs)
  const all = runToEnd(candles.between({ coin: 'BTC', interval: '1s', startTimeMs: 0 })) ?? []
  expect(all).toHaveLength(5_000)
  const [first] = all.slice(-3)
  const some = runToEnd(
    candles.between({
      coin: 'BTC',
      interval: '1s',
      startTimeMs: (first?.t ?? 0) + 1,
      endTimeMs: first?.t ?? 0,
    }),
  )
  expect(some).toEqual([first as NonNullable<typeof first>])
})

test('tickers, recent trades and coin tickers end with the last trade', () => {
  for (const atMs of instants) {
    const facts = factsAt(world, atMs)
    for (const { coin, price } of facts.market.tickers()) {
      const recent = facts.market.recentTrades(coin, 50)
      expect(Number(recent[0]?.px)).toBe(Number(price))
      expect(recent).toHaveLength(50)
      expect(recent.every(({ time }) => time <= atMs)).toBe(true)
      const times = recent.map(({ time }) => time)
      expect(times).toEqual(times.toSorted((a, b) => b - a))
    }
    const [ticker] = runToEnd(facts.coin.tickers(['solana', 'nobody']))
    expect(ticker?.price_usd).toBe(facts.market.ticker('SOL')?.price as string)
    const day = tradedBetween(world, instrumentOf('SOL'), atMs - 86_400_000 + 1, atMs + 1)
    const { notional = 0n, boughtNotional = 0n } = day ?? {}
    const { asset = 0 } = instrumentOf('SOL')
    const context = runToEnd(facts.assetContexts.perps(''))?.[asset]
    expect(Number(context?.dayNtlVlm)).toBeCloseTo(Number(notional) / 1e6, 1)
    const { valDelta } = facts.orderFlow.takerDelta({ coin: 'SOL', windowMs: 86_400_000 })
    expect(Number(valDelta)).toBeCloseTo(Number(2n * boughtNotional - notional) / 1e6, 1)
    // Other exchanges trade it too.
    expect(Number(ticker?.trade_24h_usd)).toBeGreaterThan(Number(notional) / 1e6)
    expect(Number(ticker?.price_cny)).toBeCloseTo(Number(ticker?.price_usd) * 7.1, 6)
  }
})
