/** Beyond single limits: the default world has enough of everything at its first instant. */
import { expect, test } from 'bun:test'
import { ALERT_INDICATORS } from '../../../src/contract/alert-catalogue.ts'
import { CHANGE_TYPES } from '../../../src/contract/records/signal.ts'
import { requestedMarket } from '../../fixtures/requested-market.ts'

const market = await requestedMarket()
const { cast } = market
const get = (path: string, query: Record<string, string> = {}) => market.ask('GET', path, { query })

type Depth = Record<'bids' | 'asks', [string, string, string][]>
const MAJORS = ['btcswapusdc:hl', 'ethswapusdc:hl', 'solswapusdc:hl']

test.each(MAJORS)('the book of %s has 600 levels a side', (dbKey) => {
  const { bids, asks } = get('/futures/full-depth', { dbKey }) as Depth
  expect(bids.length).toBeGreaterThanOrEqual(600)
  expect(asks.length).toBeGreaterThanOrEqual(600)
})

test('levels on the boundary of a group belong to the group that begins there', () => {
  const dbKey = 'btcswapusdc:hl'
  const groupSize = 10
  const book = get('/futures/full-depth', { dbKey }) as Depth
  const groups = get('/futures/full-depth/grouped', { dbKey, groupSize: `${groupSize}` }) as Depth
  for (const side of ['bids', 'asks'] as const) {
    const onBoundary = book[side].filter(([price]) => Number(price) % groupSize === 0)
    expect(onBoundary.length).toBeGreaterThan(0)
    for (const [price] of onBoundary) {
      const [from, to] = groups[side].find(([start]) => Number(start) === Number(price)) ?? []
      expect([Number(from), Number(to)]).toEqual([Number(price), Number(price) + groupSize])
    }
  }
})

test.each(Object.keys(CHANGE_TYPES))('there are change signals of type %s', (type) => {
  const { list } = get('/signal/changeSignal', { type }) as { list: { type: string }[] }
  expect(list.length).toBeGreaterThan(0)
  expect(list.every((one) => one.type === type)).toBe(true)
})

test('strategy signals fill a page of 100, and continue on the next', () => {
  const page = (query: Record<string, string>) =>
    get('/signal/strategySignal', query) as { list: string[][]; latest_time: string }
  const pages = ['depth_win_one', 'depth_win_two', 'order_buy_one'].flatMap((signal_key) =>
    cast.coins.map((coin_type) => {
      const query = { coin_type, signal_key }
      const first = page({ ...query, latest_time: '0' })
      return [first, page({ ...query, latest_time: first.latest_time })].map(
        (one) => one.list.length,
      )
    }),
  )
  expect(Math.max(...pages.map(([first = 0]) => first))).toBe(100)
  expect(Math.max(...pages.map(([, next = 0]) => next))).toBeGreaterThan(0)
  // For the coin that is tried first, too.
  const bitcoin = { coin_type: 'bitcoin', signal_key: 'order_buy_one' }
  const first = page({ ...bitcoin, latest_time: '0' })
  expect(first.list).toHaveLength(100)
  expect(page({ ...bitcoin, latest_time: first.latest_time }).list.length).toBeGreaterThan(0)
})

test('supplies, prices and market caps of coins are of one unit', () => {
  const list = { coin_list: cast.coinKeys.join(',') }
  const tickers = get('/coin/ticker', list) as Record<string, string>[]
  const profiles = get('/coin/config', list) as Record<string, string>[]
  expect(profiles.length).toBeGreaterThan(5)
  for (const { coin_key, show, publishAmount } of profiles) {
    const { price_usd, supply_usd } =
      tickers.find((one) => one.coin_key === coin_key) ?? ({} as Record<string, string>)
    const circulating = Number(supply_usd) / Number(price_usd)
    const part = circulating / Number(publishAmount)
    expect([show, part > 0.1 && part < 1.0001]).toEqual([show, true])
  }
  const caps = tickers.map(({ supply_usd }) => Number(supply_usd))
  const bitcoin = tickers.find(({ coin_key }) => coin_key === 'bitcoin')?.supply_usd
  const dominance = get('/index/indexPrice', { key: 'i:btcdominance:index', currency: 'usd' })
  const { price } = dominance as { price: string }
  const sum = caps.reduce((one, other) => one + other, 0)
  expect(Number(price)).toBeCloseTo((100 * Number(bitcoin)) / sum, 1)
  const before = tickers.reduce(
    (one, { supply_usd, degree_24h_usd }) =>
      one + Number(supply_usd) / (1 + Number(degree_24h_usd) / 100),
    0,
  )
  const total = get('/index/indexPrice', { key: 'i:total:index', currency: 'usd' })
  const { degree24H } = total as { degree24H: string }
  expect(Number(degree24H)).toBeCloseTo(100 * (sum / before - 1), 1)
})

test('TWAPs run, and have fills, at the first instant', () => {
  const running = get('/hl/twaps/top-impact', { limit: '100' }) as Record<string, string>[]
  const begun = running.filter(({ executedSz }) => Number(executedSz) > 0)
  expect(begun.length).toBeGreaterThan(0)
  for (const { twapId } of begun) {
    const fills = market.ask('GET', '/hl/fills/twapid/:twapid', {
      path: { twapid: String(twapId) },
    }) as unknown[]
    expect(fills.length).toBeGreaterThan(0)
  }
  expect(cast.twapIds.length).toBeGreaterThan(0)
})

test('liquidations have been in every hour, of longs and of shorts in nearly all', () => {
  const hours = get('/hl/liquidations/history', { interval: '1h', limit: '100' }) as {
    longLiquidations: number
    shortLiquidations: number
  }[]
  expect(hours).toHaveLength(100)
  // The first hour has only just begun.
  const whole = hours.slice(1)
  expect(whole.filter((one) => one.longLiquidations + one.shortLiquidations === 0)).toEqual([])
  // In an hour of a rise no long need be liquidated, in one of a fall no short.
  for (const side of ['longLiquidations', 'shortLiquidations'] as const)
    expect(whole.filter((one) => one[side] === 0).length).toBeLessThan(5)
})

const INDICATORS = Object.entries(ALERT_INDICATORS)

test.each(['price', 'an indicator'])('alerts on %s fire both ways', async (what) => {
  const { ask, later } = await requestedMarket()
  const keys = INDICATORS.filter(([key]) => (key === 'price') === (what === 'price'))
  const wanted = keys.flatMap(([key, { triggers }]) =>
    Object.keys(triggers).map((trigger) => `${key}:1:${trigger}`),
  )
  for (const symbol of [...MAJORS, 'xrpswapusdc:hl', 'tslaswapusdc:hl'])
    for (const subType of wanted) {
      const query = { subType, symbol }
      expect(ask('GET', '/signal/addSignalAlert', { query })).toEqual({ result: 'true' })
    }
  await later(19 * 60_000)
  const { list } = ask('GET', '/signal/signalAlert') as { list: Record<string, string>[] }
  expect([...new Set(list.map(({ side }) => side))].sort()).toEqual(['buy', 'sell'])
  const rung = new Set(list.map(({ sub_type }) => sub_type?.split(':')[0]))
  expect([...rung].sort()).toEqual(keys.map(([key]) => key).sort())
})
