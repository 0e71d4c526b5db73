/** Liquidations, and rules for all histories: nothing too early, and nothing without data. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { spanMs } from '../../src/contract/span.ts'
import { btc, futuresFacts, historyQuery, SHIFT_MS, world } from '../fixtures/futures-queries.ts'
import { priceAt } from '../fixtures/traded-reference.ts'

const HALF_MS = spanMs('30m')
const INTEREST = { language: 'en', currency: 'usd', page: 1, pageSize: 20 } as const

test('liquidations are the rows, and a long interval is the sum of its short ones', () => {
  // Intervals begin at whole halves of the shown hours.
  const startTimeMs = Math.floor((world.endMs + SHIFT_MS) / HALF_MS - 24) * HALF_MS - SHIFT_MS
  const rows = world.db
    .query<{ direction: string; usd: number }, [number, number, number]>(
      `select direction, sum(notional) usd from liquidation
       where instrument = ? and timeMs >= ? and timeMs <= ? group by direction`,
    )
    .all(btc.id, startTimeMs, world.endMs)
  const rowsSums = Object.fromEntries(rows.map(({ direction, usd }) => [direction, usd / 1e6]))
  const add = (symbol: string, interval: string) => {
    const query = { ...historyQuery(symbol, interval), startTimeMs }
    const buckets = futuresFacts().liquidations(query) ?? []
    const total = (side: 'long' | 'short') =>
      buckets.reduce((sum, one) => sum + Number(one[`${side}_liquidation_usd`]), 0)
    return [total('long'), total('short')]
  }
  const [long, short] = add('btcswapusdc:hl', '1m')
  expect(long).toBeCloseTo(rowsSums.long ?? 0, 5)
  expect(short).toBeCloseTo(rowsSums.short ?? 0, 5)
  expect(long).toBeGreaterThan(0)
  for (const symbol of ['btcswapusdc:hl', 'btcswapusdt:okex'])
    for (const interval of ['2m', '15m', '30m'])
      add(symbol, interval).forEach((sum, side) => {
        expect(sum).toBeCloseTo(add(symbol, '1m')[side] as number, 4)
      })
  expect(add('btcswapusdt:okex', '1m')[0]).not.toBeCloseTo(long as number, 0)
})

test('estimated liquidations lie on their side of the price, part of the open interest', () => {
  const query = { symbol: 'btcswapusdc:hl', limit: 3 }
  const price = (priceAt(world, btc, world.endMs) ?? 0) / 10 ** btc.pxDecimals
  const total = (cells: unknown[][]) => cells.reduce((sum, [, , usd]) => sum + Number(usd), 0)
  const totals = (['24h', '7d'] as const).map((cycle) => {
    const newest = runToEnd(futuresFacts().estimatedLiquidations({ ...query, cycle }))?.at(-1)
    expect(newest?.timestamp).toBe(world.endMs)
    expect(Object.keys(newest?.data_map ?? {})).toEqual(['10', '25', '50', '100'])
    let sum = 0
    for (const { long, short } of Object.values(newest?.data_map ?? {})) {
      for (const [from] of long) expect(Number(from)).toBeLessThan(price)
      for (const [, to] of short) expect(Number(to)).toBeGreaterThan(price)
      for (const side of [long, short])
        for (const [at, [from, to]] of side.entries()) {
          expect(Number(to)).toBeGreaterThan(Number(from))
          expect(Number(from)).toBeGreaterThanOrEqual(Number(side[at - 1]?.[1] ?? 0))
        }
      sum += total(long) + total(short)
    }
    const list = runToEnd(futuresFacts().openInterestList(INTEREST))
    const held = Number(list.find(({ key }) => key === query.symbol)?.trade)
    expect(sum).toBeGreaterThan(held * 0.1)
    expect(sum).toBeLessThan(held)
    return sum
  })
  expect(totals[1]).toBeGreaterThan(totals[0] as number)
  const all = runToEnd(futuresFacts().estimatedLiquidations({ ...query, cycle: '24h' }))
  const one = runToEnd(
    futuresFacts().estimatedLiquidations({ ...query, cycle: '24h', leverage: '50' }),
  )
  expect(one?.map(({ data_map }) => data_map)).toEqual(
    all?.map(({ data_map }) => ({ '50': data_map['50'] })) as never,
  )
})

test('the past does not change, and the future is not shown', () => {
  const early = world.startMs + 30_000
  const histories = (atMs: number) => {
    const at = futuresFacts(atMs)
    return [
      at.fundingRates(historyQuery('btcswapusdt:gate', '5m')),
      at.weightedFundingRates(historyQuery('solswapusdt', '15m')),
      at.stablecoinOpenInterest(historyQuery('SOL', '1m')),
      at.coinMarginOpenInterest(historyQuery('BTC', '1m')),
      at.liquidations(historyQuery('btcswapusdt:binance', '1m')),
      runToEnd(at.estimatedLiquidations({ symbol: 'solswapusdt:okex', limit: 20, cycle: '24h' })),
    ].map((list) => (list ?? []) as { time: number }[])
  }
  const [before, after] = [histories(early), histories(world.endMs)]
  before.forEach((list, at) => {
    expect(list.length).toBeGreaterThan(5)
    expect(list.at(-1)?.time).toBeLessThanOrEqual(early)
    const closed = list.slice(0, -1)
    const same = (after[at] ?? []).filter(({ time }) => time < (list.at(-1)?.time ?? 0))
    expect(closed.slice(-same.length)).toEqual(same.slice(-closed.length))
  })
})

test('before the first trade there is nothing; unknown symbols and spot pairs are null', () => {
  const before = futuresFacts(world.meta.historyStartMs - 1)
  expect(before.fundingRates(historyQuery('btcswapusdt:okex', '1d'))).toEqual([])
  expect(before.stablecoinOpenInterest(historyQuery('BTC', '1d'))).toEqual([])
  expect(before.coinMarginOpenInterest(historyQuery('BTC', '1m'))).toEqual([])
  expect(before.liquidations(historyQuery('btcswapusdt:okex', '1m'))).toEqual([])
  const cycle = '7d'
  expect(
    runToEnd(before.estimatedLiquidations({ symbol: 'btcswapusdt:okex', limit: 9, cycle })),
  ).toEqual([])
  expect(
    runToEnd(before.openInterestList({ language: 'en', currency: 'usd', page: 1, pageSize: 20 })),
  ).toEqual([])
  for (const symbol of ['btcusdt:binance', 'purrusdc:hl', 'btcswapusdt', 'nothing:hl', ''])
    for (const list of [
      futuresFacts().fundingRates(historyQuery(symbol, '1h')),
      futuresFacts().liquidations(historyQuery(symbol, '1m')),
      runToEnd(futuresFacts().estimatedLiquidations({ symbol, limit: 1, cycle })),
    ])
      expect(list).toBeNull()
  for (const symbol of ['PURR', 'btcswapusdt:hl', ''])
    expect(futuresFacts().stablecoinOpenInterest(historyQuery(symbol, '1h'))).toBeNull()
})
