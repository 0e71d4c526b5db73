/** Funding and open interest: the same rows as elsewhere, summed over the exchanges. */

import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { spanMs } from '../../src/contract/span.ts'
import { openInterestFactor } from '../../src/market/exchanges/exchange-open-interest.ts'
import { exchangesListing } from '../../src/market/exchanges/exchanges.ts'
import { btc, futuresFacts, historyQuery, SHIFT_MS, world } from '../fixtures/futures-queries.ts'
import { interestSteps } from '../fixtures/interest-reference.ts'
import { factsAt } from '../fixtures/small-world.ts'

const EXCHANGES = ['binance', 'okex', 'bybit', 'gate', 'huobi', 'bitget']

/** [time, value] of every row of an instrument up to an instant. */
const rows = (sql: string, atMs: number = world.endMs) =>
  world.db.query<Record<string, number>, [number, number]>(sql).all(btc.id, atMs)

/** An interval's candle over step values. */
function candle(values: [timeMs: number, value: number][], fromMs: number, toMs: number) {
  const before = values.filter(([timeMs]) => timeMs < fromMs).at(-1)?.[1]
  const within = values
    .filter(([timeMs]) => timeMs >= fromMs && timeMs < toMs)
    .map(([, one]) => one)
  const seen = before === undefined ? within : [before, ...within]
  return [seen[0], Math.max(...seen), Math.min(...seen), seen.at(-1)]
}

test('the funding history of the venue has its rates, whatever the interval', () => {
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

test('the weighted rate is the mean by open interest, and lies between the exchanges', () => {
  const exchanges = exchangesListing(world, btc)
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
  weighted.forEach(({ close, time }, hour) => {
    const here = rates.map((one) => one[hour] as number)
    // The rate came within the shown hour, on a full hour of the tape.
    const cameMs = tapeMs(Math.ceil(time / 3_600_000) * 3_600_000)
    const weights = exchanges.map((one) => openInterestFactor(world, one, btc, cameMs))
    const whole = weights.reduce((sum, one) => sum + one, 0)
    const mean = here.reduce((sum, rate, at) => sum + rate * (weights[at] as number), 0) / whole
    expect(Math.abs(Number(close) - mean)).toBeLessThan(1e-9)
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

test("open interest is the sum of longs, and other exchanges' changes each minute", () => {
  const own = interestSteps(world, btc, world.endMs)
  const others = exchangesListing(world, btc).filter((one) => one !== null)
  const unit = 10 ** btc.szDecimals
  const ownAt = (beforeMs: number) => own.findLast(([timeMs]) => timeMs < beforeMs)?.[1] ?? 0
  const total = (minuteMs: number) => {
    const held = ownAt(minuteMs)
    const parts = others.map((one) => openInterestFactor(world, one, btc, tapeMs(minuteMs)) * held)
    return parts.reduce((sum, one) => sum + Math.round(one), 0)
  }
  for (const interval of ['1m', '15m', '4h', '1w']) {
    const candles = futuresFacts().stablecoinOpenInterest(historyQuery('BTC', interval)) ?? []
    expect(candles.length).toBeGreaterThan(4)
    for (const { time, close, high, low } of candles.slice(-30)) {
      const endMs = Math.min(time + spanMs(interval), world.endMs + 1)
      const minuteMs = Math.floor((endMs - 1) / 60_000) * 60_000
      expect(Number(close)).toBeCloseTo((ownAt(endMs) + total(minuteMs)) / unit, 4)
      expect(Number(high)).toBeGreaterThanOrEqual(Number(close))
      expect(Number(low)).toBeLessThanOrEqual(Number(close))
    }
    for (let at = 1; at < candles.length; at++)
      expect(candles[at]?.open).toBe(candles[at - 1]?.close as string)
  }
  const extremes = (interval: string) => {
    const query = { ...historyQuery('BTC', interval), startTimeMs: world.startMs }
    const list = futuresFacts().stablecoinOpenInterest(query) ?? []
    const [fromMs, last] = [list[0]?.time ?? 0, list.at(-1)]
    return { fromMs, toMs: last?.time ?? 0, list }
  }
  const [long] = extremes('15m').list
  const within = extremes('1m').list.filter(
    ({ time }) => time >= (long?.time ?? 0) && time < (long?.time ?? 0) + spanMs('15m'),
  )
  expect(Number(long?.high)).toBeGreaterThanOrEqual(
    Math.max(...within.map((one) => Number(one.high))),
  )
  expect(Number(long?.low)).toBeLessThanOrEqual(Math.min(...within.map((one) => Number(one.low))))
})

test('the list of futures interest adds up to the history of open interest', () => {
  const query = { language: 'en', currency: 'usd', page: 1, pageSize: 20 } as const
  const pages = [1, 2].flatMap((page) =>
    runToEnd(futuresFacts().openInterestList({ ...query, page })),
  )
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
  const yuan = runToEnd(
    futuresFacts().openInterestList({ ...query, currency: 'cny', language: 'cn' }),
  )
  expect(Number(yuan[0]?.trade) / (values[0] as number)).toBeCloseTo(7.1, 6)
  expect(yuan[0]?.market_name).not.toBe(pages[0]?.market_name as string)
})

test('coin-margined open interest is part of that in stablecoins, at the last trade', () => {
  const [newest] = futuresFacts().coinMarginOpenInterest(historyQuery('BTC', '2m', 1)) ?? []
  const [all] = futuresFacts().stablecoinOpenInterest(historyQuery('BTC', '1m', 1)) ?? []
  const price = Number(factsAt(world, world.endMs).market.ticker('BTC')?.price)
  expect(Number(newest?.close)).toBeGreaterThan(0.05 * price * Number(all?.close))
  expect(Number(newest?.close)).toBeLessThan(0.3 * price * Number(all?.close))
  expect(newest?.close).toMatch(/^\d+(\.\d{1,2})?$/)
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
