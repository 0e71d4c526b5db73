/** Indicator, index and stock operations for clients: exact forms, limits, one market. */
import { expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { INDICATOR_KEYS, INDICATORS } from '../../src/contract/records/indicator.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'
const MINUTE_MS = 60_000
const LATER_MS = 14.5 * MINUTE_MS

async function market(options = {}, laterMs = LATER_MS) {
  const { registry, sandbox } = await recordedRegistry(options)
  await sandbox.clock.advance(laterMs)
  const { request } = memoryTransport(registry)
  const ask = (method: string, path: string, query: Record<string, string>, body?: unknown) => {
    const text = new URLSearchParams(query).toString()
    const url = `${PREFIX}${path}?${text}&${signed('demo', -1)}`
    const { status, body: answer } = request(
      method,
      url,
      body === undefined ? undefined : JSON.stringify(body),
    )
    return { status, ...JSON.parse(answer) }
  }
  const get = (path: string, query: Record<string, string> = {}) => ask('GET', path, query)
  const { atMs, shiftMs } = sandbox.position()
  return { ask, get, shownMs: atMs + shiftMs, sandbox }
}

const filled = (path: string, values: Record<string, string> = {}) =>
  path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values[name] ?? ''))

test('every example is answered in exactly the declared form', async () => {
  for (const questions of [{}, OTHERWISE]) {
    const { ask } = await market({ questions })
    const mine = OPERATIONS.filter(({ id }) => /^(indicator|index|stock)\./.test(id))
    expect(mine.length).toBe(10)
    for (const { method, path, data, examples } of mine) {
      const check = TypeCompiler.Compile(data)
      for (const example of examples) {
        const url = filled(path, example.path)
        const answer = ask(method, url, example.query ?? {}, example.body)
        expect([path, answer.status]).toEqual([path, 200])
        expect([path, [...check.Errors(answer.data)].slice(0, 2)]).toEqual([path, []])
      }
    }
  }
})

const OTHERWISE = {
  'indicator-form': 'records',
  'kline-numbers': 'text',
  'trading-pair-parts': 'split',
  'index-without-price': 'dash',
  'stock-quote-day': 'present',
  'stock-times': 's',
}

test('an indicator has exactly the columns of the contract, all of one length', async () => {
  const { get } = await market()
  for (const key of INDICATOR_KEYS) {
    const query = { symbol: 'btcswapusdt:binance', indicator_key: key, period: '300', size: '7' }
    const { kline_data: lists } = get('/indicatorKline/dataRecords', query).data
    expect([key, Object.keys(lists)]).toEqual([key, [...INDICATORS[key]]])
    for (const list of Object.values<unknown[]>(lists)) expect([key, list.length]).toEqual([key, 7])
  }
})

test('sizes and periods have their defaults, and more than 500 is cut silently', async () => {
  const { get } = await market()
  const query = { symbol: 'btcswapusdt:okex', indicator_key: 'position' }
  const times = (more: object) =>
    get('/indicatorKline/dataRecords', { ...query, ...more }).data.kline_data.time as number[]
  expect(times({}).length).toBe(100)
  expect((times({})[1] ?? 0) - (times({})[0] ?? 0)).toBe(3600)
  expect(times({ size: '5000' }).length).toBe(500)
  expect(get('/commonKline/dataRecords', { ...query, size: '5000' }).data.kline_data.length).toBe(
    500,
  )
  for (const period of ['1day', '0', '-60'])
    expect(get('/commonKline/dataRecords', { ...query, period }).status).toBe(400)
})

test('days begin at 00:00 or at 08:00 in Beijing, on the clock of the client', async () => {
  const { get, shownMs } = await market({ epoch: 'live', now: 1_800_000_000_000 })
  for (const [hour, offsetS] of [
    ['0', 16 * 3600],
    ['8', 0],
    ['', 16 * 3600],
  ] as const) {
    const query = { symbol: 'btcswapusdt:okex', period: '86400', open_time: hour, size: '4' }
    const rows = get('/commonKline/dataRecords', query).data.kline_data as number[][]
    const { time } = get('/indicatorKline/dataRecords', { ...query, indicator_key: 'bsv' }).data
      .kline_data
    expect(rows.map(([timeS]) => timeS)).toEqual(time)
    for (const timeS of time) expect(timeS % 86_400).toBe(offsetS)
    expect(shownMs / 1000 - time.at(-1)).toBeLessThan(86_400)
  }
  const query = { symbol: 'btcswapusdt:okex', period: '86400', open_time: '5' }
  expect(get('/commonKline/dataRecords', query).status).toBe(400)
})

test('since is the end of a k-line, on the clock of the client', async () => {
  const { get, shownMs } = await market({ epoch: 'live', now: 1_800_000_000_000 })
  const query = { symbol: 'ethswapusdt:gate', period: '900', size: '3' }
  const newest = Math.floor(shownMs / 900_000) * 900
  const times = (more: object) =>
    get('/commonKline/dataRecords', { ...query, ...more }).data.kline_data.map(
      ([timeS]: number[]) => timeS,
    )
  expect(times({})).toEqual([newest - 1800, newest - 900, newest])
  expect(times({ since: String(newest - 1) })).toEqual([newest - 2700, newest - 1800, newest - 900])
  expect(times({ since: '4000000000' })).toEqual(times({}))
  expect(times({ since: '1000000000' })).toEqual([])
})

test('pairs are found by coin key, symbol and quote, and each of them answers', async () => {
  const { get } = await market()
  const pairs = (coinType: string, indicator_key: string) =>
    get('/indicatorKline/getTradingPair', { coinType, indicator_key }).data.list as string[][]
  expect(pairs('bitcoin', 'lsur')).toEqual(pairs('BTC', 'lsur'))
  expect(pairs('USDT', 'lsur').length).toBe(48)
  expect(pairs('nothing', 'lsur')).toEqual([])
  expect(get('/indicatorKline/getTradingPair', { coinType: 'BTC' }).status).toBe(400)
  for (const indicator_key of INDICATOR_KEYS) {
    const found = pairs('ethereum', indicator_key)
    expect(found.length).toBeGreaterThan(6)
    for (const [symbol = ''] of found) {
      const query = { symbol, indicator_key, size: '2' }
      const { kline_data: lists } = get('/indicatorKline/dataRecords', query).data
      expect([symbol, Object.values(lists as object)[0].length]).toEqual([symbol, 2])
    }
  }
})

test('stocks are ranked within their markets, the largest rise first', async () => {
  const { get, ask } = await market()
  const path = '/crypto_stock/top-gainer'
  const of = (query: Record<string, string>) =>
    get(path, query).data as { symbol: string; market: string; change_rate: number }[]
  const us = of({ us_stock: 'true' })
  expect(new Set(us.map(({ market }) => market))).toEqual(new Set(['US']))
  expect(new Set(of({ hk_stock: '1' }).map(({ market }) => market))).toEqual(new Set(['HK']))
  const all = of({ us_stock: 'true', hk_stock: 'true', limit: '200' })
  expect(of({ us_stock: 'true', hk_stock: 'true' })).toEqual(all.slice(0, 50))
  expect(all.length).toBe(us.length + of({ hk_stock: 'true' }).length)
  const rates = all.map(({ change_rate }) => change_rate)
  expect(rates).toEqual(rates.toSorted((a, b) => b - a))
  expect(all.map(({ symbol }) => symbol)).not.toContain('CRYPTOEQ')
  expect(of({ us_stock: 'true', limit: '3' })).toEqual(us.slice(0, 3))
  expect(ask('POST', path, {}, { us_stock: true, limit: 3 }).data).toEqual(us.slice(0, 3))
  expect(ask('POST', path, {}, { us_stock: 'true' }).status).toBe(400)
})

/** New York trades and Hong Kong has closed. */
const IN_NEW_YORK = Date.parse('2027-01-15T16:00:00Z')
test('times of stocks are shown on the clock of the client, in seconds as well', async () => {
  const questions = { 'stock-times': 's', 'stock-quote-day': 'present' }
  const { get, shownMs } = await market({ epoch: 'live', now: IN_NEW_YORK, questions })
  const [{ timestamp, start_ts, end_ts }] = get('/crypto_stock/quotes').data
  expect(shownMs / 1000 - timestamp).toBeWithin(0, 60)
  const opening = Date.parse('2027-01-15T14:30:00Z') / 1000
  expect([start_ts, end_ts - start_ts]).toEqual([opening, 6.5 * 3600])
})

test('the ranking, the quotes and the company agree', async () => {
  const { get, shownMs } = await market({ epoch: 'live', now: IN_NEW_YORK })
  const { data } = get('/crypto_stock/top-gainer')
  for (const one of data.slice(0, 6)) {
    const { data: company } = get(`/crypto_stock/company/${one.symbol.toLowerCase()}`)
    const [quote] = get('/crypto_stock/quotes', { tickers: company.ticker }).data
    expect(quote).toMatchObject({ last_price: one.price, close: one.price, volume: one.volume })
    expect([company.market_cap, quote.market_cap]).toEqual([one.market_cap, one.market_cap])
    expect([quote.company_name, company.company_name]).toEqual([one.name, one.name])
    expect(quote.timestamp).toBe(one.update_time)
    const closedMs = one.market === 'HK' ? 8 * 3_600_000 + LATER_MS : 0
    expect(shownMs - closedMs - quote.timestamp).toBeWithin(0, 60_000)
    expect(company.fdv).toBeGreaterThanOrEqual(company.market_cap)
    const rising = [company.annual_low, quote.low, quote.last_price, quote.high]
    expect(rising).toEqual(rising.toSorted((a, b) => a - b))
    expect(company.annual_high).toBeGreaterThanOrEqual(quote.high)
  }
  const tickers = 'i:coin:nasdaq, I:MSTR:NASDAQ,i:nobody:nasdaq'
  const quotes: { ticker: string }[] = get('/crypto_stock/quotes', { tickers }).data
  expect(quotes.map(({ ticker }) => ticker)).toEqual(['i:coin:nasdaq', 'i:mstr:nasdaq'])
  expect(get('/crypto_stock/quotes').data.length).toBe(2)
})

test('names of the cast can be requested', async () => {
  const { get, sandbox } = await market()
  const cast = sandbox.world.cast(sandbox.facts().moment) as Record<string, string[]>
  for (const key of cast.indexKeys ?? [])
    expect([key, get('/index/indexPrice', { key }).errorCode]).toEqual([key, 200])
  for (const ticker of cast.stockTickers ?? [])
    expect(get(`/crypto_stock/company/${encodeURIComponent(ticker)}`).status).toBe(200)
  expect(cast.indicatorKeys).toEqual(INDICATOR_KEYS)
  expect(cast.stockTickers?.length).toBeGreaterThan(20)
})
