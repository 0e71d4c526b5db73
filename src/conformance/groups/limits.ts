/** Limits: sizes, rates and history. */

import type { AnswerTo } from '../../contract/questions.ts'
import { someCoin, someOpenPosition, somePair, someTraders } from '../example-filler.ts'
import type { Case, Probe } from '../probe.ts'
import type { ProbeExchange, ProbeRequest } from '../probe-request.ts'
import {
  among,
  byLimits,
  dataFrom,
  type Observers,
  type Requirement,
  requirementsOfSection,
} from '../requirement.ts'
import {
  assertAtMost,
  assertList,
  assertNoSuccess,
  assertSuccess,
  column,
  dataOf,
  isJsonObject,
  isSuccess,
  type JsonObject,
  objectOf,
  objectsOf,
} from '../responses.ts'
import type { TargetKey } from '../target.ts'
import { levelWith, OWN_LEVEL, withOwnLevel, withSubKeyLevel } from './distributor/levels.ts'

/** Limits on lists and pages, and values of fixed sets (the service's documentation, Limits). */
export const LIMIT_CASES: readonly Case[] = [
  {
    id: 'limits.addresses.large',
    title: 'of 2001 addresses accounts and states answer the first 2000, without an error',
    checks: ['limit.addresses.2000', 'error.silentCaps'],
    run: async (probe: Probe) => {
      for (const path of ['accounts', 'clearinghouse-state', 'spot-clearinghouse-state'])
        await cutAt(probe, `/hl/traders/${path}`, 2000)
    },
  },
  {
    id: 'limits.addresses.small',
    title: 'of 51 addresses statistics answer the first 50, without an error',
    checks: ['limit.addresses.50', 'error.silentCaps'],
    run: (probe: Probe) => cutAt(probe, '/hl/traders/statistics', 50),
  },
  {
    id: 'limits.coins',
    title: 'of 101 coin keys tickers and profiles answer the first 100, without an error',
    checks: ['limit.coinList'],
    run: async (probe: Probe) => {
      for (const path of ['/coin/ticker', '/coin/config'])
        for (const before of [99, 100]) {
          const others = Array.from({ length: before }, (_, n) => `no-such-coin-${n}`)
          const query = { coin_list: [...others, 'bitcoin'].join(',') }
          const found = (await objectsOf(probe, { path, query })).map((row) => row.coin_key)
          const isThere = found.includes('bitcoin')
          probe.assert(isThere === before < 100, `${path} reads 100 keys and no more`, found)
        }
    },
  },
  {
    id: 'limits.interest',
    title: 'a page of futures interest has as many items as requested, 20 at most',
    checks: ['limit.pageSize.interest'],
    run: async (probe: Probe) => {
      for (const [pageSize, max] of [
        [3, 3],
        [20, 20],
        [21, 20],
        [100, 20],
      ] as const) {
        const request = { path: '/futures/interest', query: { page: 1, pageSize } }
        const { length } = await objectsOf(probe, request, 'list')
        assertAtMost(probe, length, max, `pageSize ${pageSize} gives at most ${max}`)
      }
    },
  },
  {
    id: 'limits.indicator',
    title: 'indicator k-lines have as many intervals as requested, 500 at most',
    checks: ['limit.indicatorSize', 'indicator.records.openTime'],
    run: async (probe: Probe) => {
      const query = { symbol: await somePair(probe), indicator_key: 'fundflow', period: 60 }
      const path = '/indicatorKline/dataRecords'
      for (const [size, max] of [
        [5, 5],
        [500, 500],
        [501, 500],
        [5000, 500],
      ] as const) {
        const { kline_data } = await objectOf(probe, { path, query: { ...query, size } })
        const count = lengthOf(kline_data)
        assertAtMost(probe, count, max, `size ${size} gives at most ${max}`)
      }
      for (const open_time of [0, 8]) {
        const request = { path, query: { ...query, period: 86_400, size: 3, open_time } }
        assertSuccess(probe, await probe.request(request), `open_time ${open_time} is accepted`)
      }
    },
  },
  {
    id: 'limits.positions',
    title: 'records of a position have 20 intervals by default, and never more than requested',
    checks: ['limit.positions'],
    run: async (probe: Probe) => {
      const { address, coin } = await someOpenPosition(probe)
      for (const [kind, under] of [
        ['pnl', 'pnls'],
        ['executions', 'executions'],
      ] as const) {
        const path = `/hl/traders/${address}/current-position-${kind}/${encodeURIComponent(coin)}`
        for (const [limit, max] of [
          [undefined, 20],
          [2, 2],
          [1001, 1000],
        ] as const) {
          const query = { interval: '15m', ...(limit === undefined ? {} : { limit }) }
          const { length } = await objectsOf(probe, { path, query }, under)
          assertAtMost(probe, length, max, `limit ${limit ?? 'left out'} gives at most ${max}`)
        }
      }
    },
  },
  {
    id: 'limits.gainers',
    title: 'top gainers are as many as requested by GET and by POST, 50 by default',
    checks: ['limit.topGainer'],
    run: async (probe: Probe) => {
      const path = '/crypto_stock/top-gainer'
      for (const [given, max] of [
        [{}, 50],
        [{ limit: 2 }, 2],
      ] as const)
        for (const request of [
          { path, query: given },
          { method: 'POST', path, body: given },
        ] as const) {
          const { length } = await objectsOf(probe, request)
          assertAtMost(probe, length, max, `${JSON.stringify(given)} gives at most ${max}`)
        }
    },
  },
  {
    id: 'limits.values',
    title: 'every value of a fixed set is accepted, and any other one is refused',
    checks: ['futures.interest.currency', 'perpdex.portfolio.windows', 'content.aiCoins.languages'],
    run: async (probe: Probe) => {
      const [address] = await someTraders(probe)
      const sets: [values: string[], requestWith: (value: string) => ProbeRequest][] = [
        [['cny', 'usd'], (currency) => ({ path: '/futures/interest', query: { currency } })],
        [
          ['day', 'week', 'month', 'allTime'],
          (window) => ({ path: `/hl/portfolio/${address}/${window}` }),
        ],
        [
          ['CN', 'EN', 'TC'],
          (language) => ({
            method: 'POST',
            path: '/content/ai-coins',
            body: { coinKeys: ['bitcoin'], language },
          }),
        ],
      ]
      for (const [values, requestWith] of sets) {
        for (const value of values)
          assertSuccess(probe, await probe.request(requestWith(value)), `${value} is taken`)
        const other = await probe.request(requestWith('nosuch'))
        assertNoSuccess(probe, other, 'a value that is none of them is refused')
        probe.assert(other.status < 500, 'it is no server error', other)
      }
    },
  },
]

/** Whether the last of so many addresses is read, and the next one is not. */
async function cutAt(probe: Probe, path: string, max: number): Promise<void> {
  const [known = ''] = await someTraders(probe)
  for (const before of [max - 1, max]) {
    const others = Array.from({ length: before }, (_, n) => unused(n))
    const addresses = [...others, known]
    const data = await dataOf(probe, { method: 'POST', path, body: { addresses } })
    assertList(probe, data, `${path} answers a list`)
    assertAtMost(probe, data.length, max, `${path} answers at most ${max}`)
    const isThere = data.some(
      (row) => isJsonObject(row) && String(row.address).toLowerCase() === known,
    )
    probe.assert(isThere === before < max, `${path} reads ${max} addresses and no more`)
  }
}

/** An unused address for every number. */
const unused = (at: number) => `0x${'f'.repeat(32)}${at.toString(16).padStart(8, '0')}`

/** Number of intervals, in any of the forms of `kline_data` (open). */
function lengthOf(data: unknown): number {
  if (Array.isArray(data)) return data.length
  const [first] = isJsonObject(data) ? Object.values(data).filter(Array.isArray) : []
  return first?.length ?? 0
}

// Limits of requests and of time ranges.

const TICKERS = { path: '/hl/tickers' }

/** Observers of the open questions about limits. */
export const LIMITS_OBSERVERS: Observers = {
  'over-rate': (probe: Probe) =>
    withSubKeyLevel(probe, async (put) => {
      await put(levelWith(['HL_TICKERS'], { request_rate_limit: 2 }))
      // A minute may end in between: of six calls at least one exceeds a limit of two.
      return firstRefusal(probe, 'sub', 6)
    }),
  'over-quota': async (probe: Probe) => {
    const { subKey } = probe.target.control ?? {}
    if (!subKey) probe.skip('no sub key can be made')
    return withOwnLevel(probe, { max_request: 1 }, async () => {
      const { key, remove } = await subKey(OWN_LEVEL)
      return firstRefusal(probe, key, 3).finally(remove)
    })
  },
  'over-time-range': async (probe: Probe) => {
    const path = `/hl/klines-with-taker-vol/${encodeURIComponent(await someCoin(probe))}/15m`
    const times = column(await objectsOf(probe, { path, query: { limit: 20 } }), 'openTime')
    const [startTime, endTime] = [Math.min(...times), Math.max(...times)]
    if (!(endTime - startTime > 7_200_000)) probe.skip('there are too few candles')
    return withSubKeyLevel(probe, async (put) => {
      await put(levelWith(['HL_KLINES_WITH_TAKER_VOL'], { max_time_range: 3_600 }))
      const exchange = await probe.request({ path, query: { startTime, endTime }, signedBy: 'sub' })
      if (!isSuccess(exchange)) return exchange.status === 400 ? 'refuse' : null
      return spanOf(rowsIn(exchange)) <= 3_600_000 ? 'cut' : null
    })
  },
  'default-time-range': async (probe: Probe) => {
    const path = `/hl/klines-with-taker-vol/${encodeURIComponent(await someCoin(probe))}/15m`
    if (spanOf(await objectsOf(probe, { path })) <= 7_200_000)
      probe.skip('there are too few candles')
    return withSubKeyLevel(probe, async (put) => {
      await put(levelWith(['HL_KLINES_WITH_TAKER_VOL'], { max_time_range: 3_600 }))
      const exchange = await probe.request({ path, signedBy: 'sub' })
      if (!isSuccess(exchange)) return exchange.status === 400 ? 'counts' : null
      return spanOf(rowsIn(exchange)) <= 3_600_000 ? 'cut' : 'free'
    })
  },
}

function rowsIn(exchange: ProbeExchange): JsonObject[] {
  const found = dataFrom(exchange)
  return (Array.isArray(found) ? found : []) as JsonObject[]
}

/** From the first candle to the last, ms. */
function spanOf(candles: JsonObject[]): number {
  const times = column(candles, 'openTime')
  return Math.max(...times) - Math.min(...times)
}

/** Kind of the first refusal among some calls. */
async function firstRefusal(probe: Probe, signedBy: 'sub' | TargetKey, calls: number) {
  const request: ProbeRequest = { ...TICKERS, signedBy: signedBy, allowRateLimit: true }
  for (let count = 0; count < calls; count++) {
    const exchange = await probe.request(request)
    if (!isSuccess(exchange)) return limitReported(exchange)
  }
  return null
}

/** Form in which a limit is reported. */
function limitReported({ status, retryAfter, json }: ProbeExchange): AnswerTo<'over-rate'> | null {
  if (status === 429) return retryAfter === undefined ? '429' : 'retry-after'
  const isReported = isJsonObject(json) && ['403', '429'].includes(String(json.code))
  return isReported ? among(status, ['403', '200']) : null
}

/** Requirements of the contract on limits. */
export const LIMIT_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Limits', {
    'limit.timestamp': 'The 30 seconds of a Timestamp count for every signed request.',
    'limit.idle': 'Pushes of the server do not keep a socket open.',
    'limit.idle.protocol': 'Pings of the WebSocket protocol do not keep a socket open.',
    'limit.idle.all': 'The idle limit of 60 seconds counts for every socket.',
    'limit.heartbeat': 'A heartbeat every 20 to 30 seconds keeps a socket open.',
    'limit.candleGap': 'Two pushes of a candle are at least 0.5 s apart.',
    'limit.pageSize.interest': 'pageSize of futures interest is at most 20.',
    'limit.pageSize.news': byLimits(
      'pageSize of news lists is at most 20.',
      'content.rssNewsList',
      'content.newsList',
    ),
    'limit.pageSize.listing': byLimits(
      'pageSize of listing flashes is 20 by default.',
      'content.exchangeListingFlash',
    ),
    'limit.coinList': 'coin_list takes at most 100 coin keys.',
    'limit.memberIds': byLimits('memberIds takes at most 5.', 'content.exchangeListingFlash'),
    'limit.indicatorSize': 'size of indicator k-lines goes from 1 to 500.',
    'limit.depthSize': 'size of latest-depth is cut at 500.',
    'limit.addresses.2000': 'Accounts and states take 2000 addresses; the rest is silently cut.',
    'limit.addresses.50': 'Statistics take 50 addresses; the rest is silently cut.',
    'limit.fills': byLimits(
      'Fills of an address or builder: 1000 by default, at most 2000.',
      'perpdex.fillsOfAddress',
      'perpdex.fillsOfBuilder',
    ),
    'limit.filledOrders': byLimits(
      'Filled orders: 1000 by default, and at most 1000.',
      'perpdex.filledOrdersLatest',
    ),
    'limit.orders': byLimits('Orders: 2000 by default.', 'perpdex.ordersLatest'),
    'limit.topTrades': byLimits('Top trades: 10 by default, at most 100.', 'perpdex.topTrades'),
    'limit.whaleEvents': byLimits(
      'Whale events: 10 by default, at most 100.',
      'perpdex.whaleEvents',
    ),
    'limit.positions': 'Position PnL and executions: 20 by default, at most 1000.',
    'limit.topGainer': byLimits('Top gainers: 50 by default.', 'stock.topGainer'),
    'limit.liquidationHistory': byLimits(
      'Liquidation history: 10 by default.',
      'futures.liquidationHistory',
    ),
    'limit.estimated': byLimits(
      'Estimated-liquidation history: 100 by default.',
      'futures.estimatedLiquidationHistory',
    ),
    'limit.subKeys': 'A distributor has at most max_sub_keys sub keys.',
    'limit.totalQuota': 'The quotas of all sub keys together stay within max_total_quota a month.',
    'limit.level.timeRange':
      'max_time_range of a level limits, in seconds, the time range that its sub keys may ' +
      'request, in any form of request.',
    'limit.level.quota': 'max_request of a level is the monthly quota of its sub keys.',
    'limit.level.rate':
      'request_rate_limit of a level limits the requests of its sub keys per minute.',
  }),
]
