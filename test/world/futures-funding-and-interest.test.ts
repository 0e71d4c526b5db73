/** Funding and open interest: the same rows as elsewhere, summed over the exchanges. */
import { expect, test } from 'bun:test'
import { spanMs } from '../../src/contract/span.ts'
import {
  exchangeSharesOf,
  exchangesListing,
  SHARE_SCALE,
} from '../../src/world/exchanges/exchange-shares.ts'
import { btc, futuresFacts, historyQuery, SHIFT_MS, world } from '../fixtures/futures-queries.ts'
import { interestSteps } from '../fixtures/interest-reference.ts'

const EXCHANGES = ['binance', 'okex', 'bybit', 'gate', 'huobi', 'bitget']

/** [time, value] of every row of an instrument up to an instant. */
const rows = (sql: string, atMs: number = world.endMs) =>
  world.db.query<Record<string, number>, [number, number]>(sql).all(btc.id, atMs)

/** What an interval shows of values that stand until the next one comes. */
function candle(values: [timeMs: number, value: number][], fromMs: number, toMs: number) {
  const before = values.filter(([timeMs]) => timeMs < fromMs).at(-1)?.[1]
  const within = values
    .filter(([timeMs]) => timeMs >= fromMs && timeMs < toMs)
    .map(([, one]) => one)
  const seen = before === undefined ? within : [before, ...within]
  return [seen[0], Math.max(...seen), Math.min(...seen), seen.at(-1)]
}

test('the funding history of the own venue is its rates, whatever the interval', () => {
  const found = rows('select timeMs, rate from funding where instrument = ? and timeMs <= ?')
  const values = found.map(({ timeMs, rate }): [number, number] => [timeMs ?? 0, rate ?? 0])
  for (const interval of ['1m', '5m', '1h', '8h', '1d', '1w']) {
    const candles = futuresFacts().fundingRates(historyQuery('btcswapusdc:hl', interval)) ?? []
    expect(candles.length).toBeGreaterThan(4)
    for (const { time, open, high, low, close } of candles.slice(-200)) {
      expect((time + SHIFT_MS) % spanMs(interval)).toBe(0)
      const shown = [open, high, low, close].map((text) => Math.round(Number(text) * 1e10))
      const expected = candle(values, time, Math.min(time + spanMs(interval), world.endMs + 1))
      expect(shown).toEqual(expected as number[])
    }
  }
})

test('the weighted rate is the mean of the exchanges by share, and lies between them', () => {
  const { stablecoinShare } = exchangeSharesOf(world)
  const weights = exchangesListing(btc).map((exchange) => stablecoinShare(exchange, btc))
  const weightSum = weights.reduce((sum, one) => sum + one, 0)
  const rates = [
    (futuresFacts().fundingRates(historyQuery('btcswapusdc:hl', '1h')) ?? []).map(
      ({ close }) => 8 * Number(close),
    ),
    ...EXCHANGES.map((key) =>
      (futuresFacts().fundingRates(historyQuery(`btcswapusdt:${key}`, '1h')) ?? []).map(
        ({ close }) => Number(close),
      ),
    ),
  ]
  const weighted = futuresFacts().weightedFundingRates(historyQuery('btcswapusdt', '1h')) ?? []
  expect(weighted.length).toBeGreaterThan(500)
  weighted.forEach(({ close }, hour) => {
    const here = rates.map((one) => one[hour] as number)
    const mean = here.reduce((sum, rate, at) => sum + rate * (weights[at] as number), 0) / weightSum
    expect(Math.abs(Number(close) - mean)).toBeLessThan(1e-10)
    expect(Number(close)).toBeLessThanOrEqual(Math.max(...here) + 1e-10)
    expect(Number(close)).toBeGreaterThanOrEqual(Math.min(...here) - 1e-10)
  })
  expect(futuresFacts().weightedFundingRates(historyQuery('btc', '1h'))).toEqual(weighted)
})

test('exchanges differ in their rates, and each is the same when read again', () => {
  const newest = (key: string) =>
    futuresFacts().fundingRates(historyQuery(`btcswapusdt:${key}`, '1h', 30))
  const all = EXCHANGES.map((key) => JSON.stringify(newest(key)))
  expect(new Set(all).size).toBe(EXCHANGES.length)
  expect(EXCHANGES.map((key) => JSON.stringify(newest(key)))).toEqual(all)
})

test('open interest is what crowd and traders are long, summed over the exchanges', () => {
  const { stablecoinShare } = exchangeSharesOf(world)
  const parts = exchangesListing(btc).map(
    (exchange) => stablecoinShare(exchange, btc) / SHARE_SCALE,
  )
  const total = parts.reduce((sum, one) => sum + one, 0) / 10 ** btc.szDecimals
  const values = interestSteps(world, btc, world.endMs)
  for (const interval of ['1m', '15m', '4h', '1w']) {
    const candles = futuresFacts().stablecoinOpenInterest(historyQuery('BTC', interval)) ?? []
    expect(candles.length).toBeGreaterThan(4)
    for (const { time, open, high, low, close } of candles.slice(-200)) {
      const expected = candle(values, time, Math.min(time + spanMs(interval), world.endMs + 1))
      const shown = [open, high, low, close].map(Number)
      shown.forEach((one, at) => {
        expect(Math.abs(one - (expected[at] ?? 0) * total)).toBeLessThan(1e-4)
      })
    }
    for (let at = 1; at < candles.length; at++)
      expect(candles[at]?.open).toBe(candles[at - 1]?.close as string)
  }
})

test('the list of futures interest adds up to the history of open interest', () => {
  const query = { language: 'en', currency: 'usd', page: 1, pageSize: 20 } as const
  const pages = [1, 2].flatMap((page) => futuresFacts().openInterestList({ ...query, page }))
  expect(pages.length).toBe(2 * 7 + 1)
  for (const coin of ['BTC', 'SOL', 'TSLA']) {
    const pairs = pages.filter(({ show }) => show === coin)
    const sum = pairs.reduce((total, { vol_coin }) => total + Number(vol_coin), 0)
    const [newest] = futuresFacts().stablecoinOpenInterest(historyQuery(coin, '1m', 1)) ?? []
    expect(sum).toBeCloseTo(Number(newest?.close), 6)
    for (const { trend, vol_coin } of pairs) {
      expect(trend.at(-1)?.close).toBe(vol_coin)
      expect(trend.length).toBe(25)
    }
  }
  const values = pages.map(({ trade }) => Number(trade))
  expect(values).toEqual(values.toSorted((a, b) => b - a))
  const yuan = futuresFacts().openInterestList({ ...query, currency: 'cny', language: 'cn' })
  expect(Number(yuan[0]?.trade) / (values[0] as number)).toBeCloseTo(7.1, 6)
  expect(yuan[0]?.market_name).not.toBe(pages[0]?.market_name as string)
})

test('coin-margined open interest is valued at the last trade', () => {
  const { coinMarginShare } = exchangeSharesOf(world)
  const parts = exchangesListing(btc).map(
    (exchange) => coinMarginShare(exchange, btc) / SHARE_SCALE,
  )
  const [last] = rows(
    `select px from trade where instrument = ? and timeMs <= ?
     order by timeMs desc, id desc limit 1`,
  )
  const [, interest = 0] = interestSteps(world, btc, world.endMs).at(-1) ?? []
  const { pxDecimals, szDecimals } = btc
  const value = ((last?.px ?? 0) * interest) / 10 ** (pxDecimals + szDecimals)
  const [newest] = futuresFacts().coinMarginOpenInterest(historyQuery('BTC', '2m', 1)) ?? []
  const expected = value * parts.reduce((sum, one) => sum + one, 0)
  expect(Math.abs(Number(newest?.close) - expected)).toBeLessThan(0.02)
  expect(futuresFacts().coinMarginOpenInterest(historyQuery('TSLA', '2m'))).toBeNull()
})

test('start, end and limit choose intervals that contain both instants', () => {
  const at = futuresFacts()
  const all = at.fundingRates(historyQuery('btcswapusdt:bybit', '1h')) ?? []
  const [first, last] = [all.at(-9)?.time ?? 0, all.at(-4)?.time ?? 0]
  const span = { startTimeMs: first + 5, endTimeMs: last + 5 }
  const part = (limit: number) =>
    at.fundingRates({ ...historyQuery('btcswapusdt:bybit', '1h', limit), ...span })
  expect(part(100)).toEqual(all.slice(-9, -3))
  expect(part(2)).toEqual(all.slice(-5, -3))
  const query = historyQuery('btcswapusdt:bybit', '1h')
  expect(at.fundingRates({ ...query, startTimeMs: world.endMs + spanMs('2h') })).toEqual([])
  expect(at.fundingRates({ ...query, endTimeMs: 0 })).toEqual([])
})
