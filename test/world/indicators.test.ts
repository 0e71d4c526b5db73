/** Indicators and k-lines: the same rows as elsewhere, interval by interval. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { INDICATOR_KEYS } from '../../src/contract/records/indicator.ts'
import { btc, futuresFacts, historyQuery, SHIFT_MS, world } from '../fixtures/futures-queries.ts'
import {
  factsAtTime,
  indicatorRecords,
  klineQuery,
  OWN_PAIR,
  PAIRS,
} from '../fixtures/indicator-queries.ts'

const shownS = (timeS: number) => timeS + SHIFT_MS / 1000

test('k-lines of the venue are its candles', () => {
  for (const [symbol, coin] of [
    [OWN_PAIR, 'BTC'],
    ['purrusdc:hl', 'PURR/USDC'],
    ['tslaswapusdc:hl', 'xyz:TSLA'],
  ] as const)
    for (const [interval, periodS] of [
      ['1m', 60],
      ['15m', 900],
      ['4h', 14_400],
      ['1d', 86_400],
    ] as const) {
      const rows = runToEnd(factsAtTime().indicator.klines(klineQuery(symbol, periodS))) ?? []
      const [first] = rows
      const startTimeMs = (first?.[0] ?? 0) * 1000
      const candles = runToEnd(factsAtTime().candles.between({ coin, interval, startTimeMs })) ?? []
      const numbers = candles.map(({ t, o, h, l, c, v }) => [t / 1000, o, h, l, c, v].map(Number))
      expect(rows.length).toBeGreaterThan(4)
      expect(rows.map((row) => row.map(Number))).toEqual(numbers)
    }
})

test('flows are the taker volumes of the candles', () => {
  const facts = factsAtTime()
  const [inflow, volumes] = [
    indicatorRecords('fundflow', klineQuery(OWN_PAIR, 900)),
    indicatorRecords('ftbs', klineQuery(OWN_PAIR, 900)),
  ]
  expect(indicatorRecords('bsv', klineQuery(OWN_PAIR, 900))).toEqual(volumes)
  let seen = 0
  volumes.forEach(({ time, buyVolume, sellVolume }, at) => {
    const candle = facts.candles.at('BTC', '15m', time * 1000)
    const { v, vb, a, ab } = candle ?? { v: '0', vb: '0', a: '0', ab: '0' }
    seen += candle ? 1 : 0
    expect(Number(buyVolume)).toBe(Number(vb))
    expect(Number(sellVolume)).toBeCloseTo(Number(v) - Number(vb), 8)
    expect(Number(inflow[at]?.value)).toBeCloseTo(2 * Number(ab) - Number(a), 2)
  })
  expect(seen).toBeGreaterThan(100)
})

test('positions of all exchanges add up to the aggregated open interest', () => {
  for (const [interval, periodS] of [
    ['1h', 3600],
    ['1d', 86_400],
  ] as const) {
    const all = futuresFacts().stablecoinOpenInterest(historyQuery('BTC', interval, 24)) ?? []
    const parts = PAIRS.map((symbol) =>
      indicatorRecords('position', klineQuery(symbol, periodS, { size: 24 })),
    )
    expect(parts[0]?.map(({ time }) => time * 1000)).toEqual(all.map(({ time }) => time))
    all.forEach(({ open, close, high, low }, at) => {
      const sum = (name: 'open' | 'close' | 'high' | 'low') =>
        parts.reduce((total, list) => total + Number(list[at]?.[name]), 0)
      expect(sum('open')).toBeCloseTo(Number(open), 6)
      expect(sum('close')).toBeCloseTo(Number(close), 6)
      // Their extremes do not coincide.
      expect(sum('high')).toBeGreaterThanOrEqual(Number(high) - 1e-6)
      expect(sum('low')).toBeLessThanOrEqual(Number(low) + 1e-6)
      expect(Number(high)).toBeGreaterThanOrEqual(Math.max(Number(open), Number(close)))
      expect(Number(low)).toBeLessThanOrEqual(Math.min(Number(open), Number(close)))
    })
  }
})

test('funding and liquidations are those of the derivatives histories', () => {
  for (const symbol of PAIRS) {
    const rates = futuresFacts().fundingRates(historyQuery(symbol, '1h', 48)) ?? []
    const series = indicatorRecords('fr', klineQuery(symbol, 3600, { size: 48 }))
    expect(series.map(({ time, fundingRate }) => [time * 1000, fundingRate])).toEqual(
      rates.map(({ time, close }) => [time, close]),
    )
    for (const { fundingTime, time } of series)
      expect(Number(fundingTime)).toBeLessThan(time + 3600)
    const closed = futuresFacts().liquidations(historyQuery(symbol, '1m', 10)) ?? []
    const sums = indicatorRecords('aili', klineQuery(symbol, 60, { size: 10 }))
    expect(sums.map((one) => [one.timestamp * 1000, one.sellSize, one.buySize])).toEqual(
      closed.map((one) => [one.time, one.long_liquidation_usd, one.short_liquidation_usd]),
    )
    expect(sums.some(({ sellSize }) => Number(sellSize) > 0)).toBe(true)
  }
})

test('basis is mark less oracle, and turnover that of the k-line', () => {
  const series = indicatorRecords('basis', klineQuery(OWN_PAIR, 60, { size: 3 }))
  for (const { time, basis, basisRate } of series) {
    const toMs = Math.min((time + 60) * 1000, world.endMs + 1)
    const row = world.db
      .query<{ mark: number; oracle: number }, [number, number]>(
        `select mark, oracle from mark where instrument = ? and timeMs < ?
         order by timeMs desc, id desc`,
      )
      .get(btc.id, toMs)
    const [mark, oracle] = [row?.mark ?? 0, row?.oracle ?? 0]
    expect(Number(basis)).toBeCloseTo((mark - oracle) / 10 ** btc.pxDecimals, 9)
    expect(Number(basisRate)).toBeCloseTo((mark - oracle) / oracle, 6)
  }
  const candles = indicatorRecords('tvolume', klineQuery(OWN_PAIR, 900, { size: 20 }))
  for (const { time, volume } of candles)
    expect(Number(volume)).toBeCloseTo(
      Number(factsAtTime().candles.at('BTC', '15m', time * 1000)?.a),
      2,
    )
})

test('the past never changes, and the future is not shown', () => {
  const earlyMs = world.startMs + 61_234
  for (const key of INDICATOR_KEYS.filter((one) => one !== 'aiaggtrade'))
    for (const symbol of [OWN_PAIR, 'btcswapusdt:gate']) {
      const before = indicatorRecords(key, klineQuery(symbol, 300, { size: 30 }), earlyMs)
      const sinceS = Math.floor(earlyMs / 1000)
      const after = indicatorRecords(key, klineQuery(symbol, 300, { size: 30, sinceS }))
      expect(before.length).toBe(30)
      expect([key, before.slice(0, -1)]).toEqual([key, after.slice(0, -1)])
      expect(before.at(-1)?.time).toBe(after.at(-1)?.time as number)
    }
  const trades = indicatorRecords('aiaggtrade', klineQuery(OWN_PAIR, 60), earlyMs)
  for (const { timestamp } of trades) expect(timestamp * 1000).toBeLessThanOrEqual(earlyMs)
})

test('before the first trade there is nothing, and spot has no positions', () => {
  const startMs = world.meta.historyStartMs
  for (const key of INDICATOR_KEYS)
    expect(indicatorRecords(key, klineQuery(OWN_PAIR, 60), startMs)).toEqual([])
  expect(runToEnd(factsAtTime(startMs).indicator.klines(klineQuery(OWN_PAIR, 60)))).toEqual([])
  for (const key of ['lsur', 'fr', 'aili', 'position'] as const)
    expect(indicatorRecords(key, klineQuery('btcusdt:okex', 60))).toBeNull()
  for (const key of ['fundflow', 'bsv', 'aibst', 'aiaggtrade'] as const)
    expect(indicatorRecords(key, klineQuery('purrusdc:hl', 86_400)).length).toBeGreaterThanOrEqual(
      0,
    )
  expect(runToEnd(factsAtTime().indicator.klines(klineQuery('nothing:hl', 60)))).toBeNull()
})

test('times are whole periods of shown time', () => {
  for (const periodS of [1, 60, 420, 3600, 604_800])
    for (const [time] of runToEnd(
      factsAtTime().indicator.klines(klineQuery(OWN_PAIR, periodS, { size: 20 })),
    ) ?? [])
      expect([periodS, shownS(time) % periodS]).toEqual([periodS, 0])
})
