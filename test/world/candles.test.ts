/** Candles and tickers of a world are what its trades add up to. */
import { expect, test } from 'bun:test'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const COINS = ['BTC', 'SOL', 'xyz:TSLA', 'PURR/USDC']
/** Instants all over the tape, on no particular grid. */
const instants = Array.from({ length: 9 }, (_, at) => world.startMs + 777 + at * 21_111)
const PX_UNIT = 10 ** (world.byCoin.get('BTC')?.pxDecimals ?? 0)

type Row = { timeMs: number; px: number; sz: number; notional: number; side: string }
const tradesOf = (id: number, fromMs: number, toMs: number) =>
  world.db
    .query<Row, [number, number, number]>(
      `select timeMs, px, sz, notional, side from trade
       where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id`,
    )
    .all(id, fromMs, toMs)

test('candles are what their trades add up to, on the clock that is shown', () => {
  const atMs = world.endMs - 31_234
  for (const shiftMs of [0, 13_000, -987_654_000])
    for (const [interval, lengthMs] of [
      ['1s', 1_000],
      ['1m', 60_000],
      ['1h', 3_600_000],
    ] as const) {
      const { candles } = factsAt(world, atMs, shiftMs)
      const startTimeMs = atMs - 40 * lengthMs
      const found = candles.between({ coin: 'BTC', interval, startTimeMs }) ?? []
      expect(found.length).toBeGreaterThan(5)
      for (const { t, T, n, o, c, h, l, v } of found) {
        const trades = tradesOf(0, t, Math.min(T, atMs) + 1)
        const prices = trades.map(({ px }) => px)
        expect((t + shiftMs) % lengthMs).toBe(0)
        expect(T).toBe(t + lengthMs - 1)
        expect(n).toBe(trades.length)
        expect([o, c].map((px) => Number(px) * PX_UNIT)).toEqual([
          prices[0] as number,
          prices.at(-1) as number,
        ])
        expect(Number(h)).toBeGreaterThanOrEqual(Number(l))
        expect(Number(h) * PX_UNIT).toBe(Math.max(...prices))
        expect(Number(v)).toBeCloseTo(trades.reduce((sum, { sz }) => sum + sz, 0) / 1e5, 9)
      }
    }
})

test('long candles are short ones added up, and the last one is one of them', () => {
  const { candles } = factsAt(world, world.endMs)
  const startTimeMs = world.endMs - 5 * 3_600_000
  for (const coin of COINS) {
    const sums = (interval: string) => {
      const found = candles.between({ coin, interval, startTimeMs }) ?? []
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
    const listed = candles.between({ coin, interval: '15m', startTimeMs })?.at(-1)
    expect(last).toMatchObject(listed ?? {})
    expect(candles.at(coin, '15m', last?.t ?? 0)).toEqual(last)
  }
})

test('at most the 5000 newest candles are given, from the one that holds the start', () => {
  const { candles } = factsAt(world, world.endMs)
  const all = candles.between({ coin: 'BTC', interval: '1s', startTimeMs: 0 }) ?? []
  expect(all).toHaveLength(5_000)
  const [first] = all.slice(-3)
  const some = candles.between({
    coin: 'BTC',
    interval: '1s',
    startTimeMs: (first?.t ?? 0) + 1,
    endTimeMs: first?.t ?? 0,
  })
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
    const [ticker] = facts.coin.tickers(['solana', 'nobody'])
    expect(ticker?.price_usd).toBe(facts.market.ticker('SOL')?.price as string)
    const day = tradesOf(1, atMs - 86_400_000 + 1, atMs + 1)
    const turnover = day.reduce((sum, { notional }) => sum + notional, 0)
    expect(Number(ticker?.trade_24h_usd)).toBeCloseTo(turnover / 1e6, 1)
    const bought = day.filter(({ side }) => side === 'B')
    const net = 2 * bought.reduce((sum, { notional }) => sum + notional, 0) - turnover
    expect(Number(ticker?.fundNetIn_24h_usd)).toBeCloseTo(net / 1e6, 1)
    expect(Number(ticker?.price_cny)).toBeCloseTo(Number(ticker?.price_usd) * 7.1, 6)
  }
})
