/** The longest time range of a key, against every form of a requested range. */

import { beforeEach, expect, test } from 'bun:test'
import { oneSlice } from '../../src/clock/turns.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { ADDRESS, fakeWorld, START_MS, signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { PREFIX } from '../fixtures/question-trial.ts'
import { serve } from '../fixtures/test-server.ts'

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]
const PAIR = 'btcswapusdt:binance'

/** A request with its time range in seconds. */
const RANGES: [path: string, seconds: number, body?: unknown][] = [
  ['/hl/open-interest/history/BTC?interval=180d', 180 * DAY],
  ['/hl/open-interest/top-coins?interval=15m', 15 * MINUTE],
  ['/hl/orderbooks/history-summaries/BTC?interval=2h', 2 * HOUR],
  ['/hl/accumulated-taker-delta/BTC?interval=1h', HOUR],
  ['/hl/liquidations/stat?interval=1d', DAY],
  ['/hl/liquidations/stat-by-coin?interval=60d', 60 * DAY],
  ['/hl/liquidations/top-positions?interval=1d&coin=BTC', DAY],
  ['/hl/liquidations/market-heatmap?coin=BTC&interval=7d', 7 * DAY],
  ['/hl/liquidations/estimated-heatmap?coin=BTC&interval=7d', 7 * DAY],
  ['/hl/fills/top-trades?interval=7d&coin=BTC', 7 * DAY],
  [`/hl/portfolio/${ADDRESS}/week`, 7 * DAY],
  [`/hl/pnls/${ADDRESS}?period=7`, 7 * DAY],
  ['/hl/batch-pnls', 30 * DAY, { addresses: [ADDRESS], period: 30 }],
  [`/hl/max-drawdown/${ADDRESS}?days=60`, 60 * DAY],
  ['/hl/batch-max-drawdown', 7 * DAY, { addresses: [ADDRESS], days: 7 }],
  [`/hl/ledger-updates/net-flow/${ADDRESS}?days=1`, DAY],
  ['/hl/ledger-updates/batch-net-flow', 90 * DAY, { addresses: [ADDRESS], days: 90 }],
  [`/hl/traders/${ADDRESS}/addr-stat?period=3`, 3 * DAY],
  ['/hl/traders/batch-addr-stat', 30 * DAY, { addresses: [ADDRESS], period: 30 }],
  [`/hl/traders/${ADDRESS}/best-trades?period=5`, 5 * DAY],
  [`/hl/traders/${ADDRESS}/performance-by-coin?period=2`, 2 * DAY],
  ['/hl/traders/statistics', 9 * DAY, { addresses: [ADDRESS], period: 9 }],
  ['/hl/smart/find', 8 * DAY, { period: 8 }],
  ['/hl/traders/discover', 4 * DAY, { period: 4 }],
  ['/hl/traders/discover', 40 * DAY, { filters: [{ field: 'winRate', val: 0, period: 40 }] }],
  ['/hl/traders/discover-history', 4 * DAY, { period: 4, time: 0 }],
  ['/hl/liquidations/history?interval=1h&limit=24', DAY],
  ['/hl/whales/history-long-ratio?interval=4h&limit=6', DAY],
  ['/hl/whales/history-long-ratio?limit=6', 6 * HOUR],
  ['/hl/klines-with-taker-vol/BTC/15m?limit=8', 2 * HOUR],
  [`/hl/klines-with-taker-vol/BTC/1m?startTime=${START_MS - 5 * HOUR * 1000}`, 5 * HOUR],
  [`/hl/traders/${ADDRESS}/current-position-pnl/BTC?interval=1h&limit=5`, 5 * HOUR],
  [`/hl/traders/${ADDRESS}/current-position-executions/BTC?limit=5`, 5 * HOUR],
  [`/hl/traders/${ADDRESS}/completed-position-pnl/BTC?startTime=1&interval=1d&limit=3`, 3 * DAY],
  [`/futures/funding-rate/history?symbol=${PAIR}&interval=8h&limit=3`, DAY],
  [`/futures/liquidation/history?symbol=${PAIR}&interval=2m&start_time=0&end_time=60000`, MINUTE],
  [`/futures/estimated-liquidation/history?dbkey=${PAIR}&cycle=24h&limit=95`, DAY],
  [`/futures/estimated-liquidation/history?dbkey=${PAIR}&cycle=24h&limit=100`, 100 * 900],
  [`/indicatorKline/dataRecords?symbol=${PAIR}&indicator_key=fr&period=900&size=8`, 2 * HOUR],
  [`/commonKline/dataRecords?symbol=${PAIR}&period=60&size=2`, 2 * MINUTE],
  byTime({ endTimeFrom: 1_000, endTimeTo: 61_000 }, MINUTE),
  byTime({ endTimeFrom: START_MS - HOUR * 1000 }, HOUR),
  info({ type: 'userFillsByTime', user: ADDRESS, startTime: 0, endTime: 60_000 }, MINUTE),
  info({ type: 'candleSnapshot', req: { coin: 'BTC', interval: '1m', ...minute() } }, MINUTE),
]

function byTime(body: object, seconds: number): [string, number, object] {
  return [`/hl/traders/${ADDRESS}/completed-trades/by-time`, seconds, body]
}

function info(body: object, seconds: number): [string, number, object] {
  return ['/hl/info', seconds, body]
}

function minute() {
  return { startTime: START_MS, endTime: START_MS + 60_000 }
}

/** The last query to the facts. */
let lastQuery: unknown[] = []
beforeEach(() => {
  lastQuery = []
})

/** Facts that answer every query with an empty list, and record it. */
const anyFacts = (moment: unknown) =>
  new Proxy({} as never, { get: (_, facet) => (facet === 'moment' ? moment : anyFacet) })
const anyFacet = new Proxy(
  {},
  {
    get:
      () =>
      (...args: unknown[]) =>
        noted(args),
  },
)
function noted(args: unknown[]) {
  lastQuery = args
  return Object.assign([], { [Symbol.iterator]: emptyInSlices })
}

/** Answers in slices are empty as well. */
const emptyInSlices = () => oneSlice(() => [])

async function requester(maxTimeRangeS: number, questions: Record<string, string> = {}) {
  const world = { ...fakeWorld(), facts: anyFacts }
  const settings = { clock: 'held', epoch: 'tape', questions } as const
  const registry = new Registry(async () => world, [], settings, fixedClock)
  await registry.open()
  const { keys, tenancy } = registry.get('default') as Sandbox
  tenancy.addKey({ ...keys.full, limits: { ...keys.full.limits, maxTimeRangeS } })
  const { request } = memoryTransport(registry)
  return (path: string, body?: unknown) => {
    const url = `${PREFIX}${path}${path.includes('?') ? '&' : '?'}${signed()}`
    const answer = request(body ? 'POST' : 'GET', url, body ? JSON.stringify(body) : undefined)
    return `${answer.status} ${JSON.parse(answer.body).msg ?? ''}`.trim()
  }
}

for (const [path, seconds, body] of RANGES)
  test(`${path} ${body ? JSON.stringify(body) : ''} requests ${seconds} s`, async () => {
    const refused = `400 the time range is longer than ${seconds - 1} seconds`
    expect((await requester(seconds - 1))(path, body)).toBe(refused)
    expect((await requester(seconds))(path, body)).toStartWith('200')
  })

test('all time is longer than any range', async () => {
  const ask = await requester(1_000_000_000)
  for (const path of [`/hl/portfolio/${ADDRESS}/allTime`, `/hl/pnls/${ADDRESS}?period=0`])
    expect(ask(path)).toStartWith('400 the time range is longer')
})

test('a key, a cursor and an interval without a number of rows are no ranges', async () => {
  const ask = await requester(1)
  const completed = `/hl/traders/${ADDRESS}/completed-position-history/BTC`
  expect(ask(`${completed}?startTime=1&endTime=99999999`)).toStartWith('200')
  expect(ask('/signal/strategySignal?coin_type=btc&signal_key=td_buy_one&latest_time=0')).toBe(
    '200',
  )
  expect(ask('/hl/twaps/execution-wall?interval=1h')).toStartWith('200')
})

test('a range that is too long can be cut, in every form', async () => {
  const ask = await requester(DAY + 1, { 'over-time-range': 'cut' })
  const cut = (path: string, body?: unknown) => {
    const answer = ask(path, body)
    return answer.startsWith('200') ? lastQuery : answer
  }
  expect(cut('/hl/open-interest/history/BTC?interval=180d')).toMatchObject([
    { windowMs: (DAY + 1) * 1000 },
  ])
  expect(cut('/hl/traders/statistics', { addresses: [ADDRESS], period: 9 })).toMatchObject([
    [ADDRESS],
    1,
    false,
  ])
  expect(cut(`/hl/max-drawdown/${ADDRESS}?days=60`)).toEqual([ADDRESS, 1])
  expect(cut(`/hl/portfolio/${ADDRESS}/allTime`)).toEqual([ADDRESS, 'day'])
  expect(cut('/hl/klines-with-taker-vol/BTC/15m?limit=2000')).toMatchObject([{ limit: 96 }])
  expect(cut(...pathAndBody(byTime({ endTimeFrom: 0, endTimeTo: START_MS }, 0)))).toMatchObject([
    ADDRESS,
    { fromMs: START_MS - (DAY + 1) * 1000, toMs: START_MS },
  ])
  // There is no candle of a week in a day.
  expect(cut('/hl/klines-with-taker-vol/BTC/1w?limit=2')).toStartWith('400 the time range')
})

const pathAndBody = ([path, , body]: [string, number, object]) => [path, body] as const

test('a default range follows its own question', async () => {
  const usual = ['/hl/open-interest/history/BTC', '/hl/liquidations/stat', '/hl/smart/find']
  const statuses = async (answer: string) => {
    const ask = await requester(60, { 'default-time-range': answer })
    return usual.map((path, index) => ask(path, index === 2 ? {} : undefined).slice(0, 3))
  }
  expect(await statuses('free')).toEqual(['200', '200', '200'])
  expect(await statuses('counts')).toEqual(['400', '400', '400'])
  // The default of three days of open interest is above 15 minutes, and every period above a day.
  expect(await statuses('cut')).toEqual(['400', '200', '400'])
})

test('explain reports that the range is too long', async () => {
  const { control, registry } = await serve()
  const { keys, tenancy } = registry.get('default') as Sandbox
  tenancy.addKey({ ...keys.full, limits: { ...keys.full.limits, maxTimeRangeS: 60 } })
  const url = `${PREFIX}/hl/open-interest/history/BTC?interval=1h&${signed()}`
  const { body } = await control('POST', '/explain', { url })
  const { checks } = body as unknown as { checks: { passed: boolean; detail: string }[] }
  const failed = checks.filter(({ passed }) => !passed).map(({ detail }) => detail)
  expect(failed).toEqual(['the time range is longer than 60 seconds'])
})
