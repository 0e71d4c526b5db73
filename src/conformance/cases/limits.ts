import { assertAtMost, assertList, assertNoSuccess, assertSuccess } from '../assertions.ts'
import type { Case } from '../case.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import { dataOf, objectOf, objectsOf } from '../response-reading.ts'
import { someOpenPosition, somePair, someTraders } from '../target-lookups.ts'

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
    title: 'a page of futures interest has as many items as asked for, 20 at most',
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
    title: 'indicator k-lines have as many intervals as asked for, 500 at most',
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
        assertSuccess(probe, await probe.request(request), `open_time ${open_time} is taken`)
      }
    },
  },
  {
    id: 'limits.positions',
    title: 'records of a position have 20 intervals when left out, and never more than asked for',
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
    title: 'top gainers are as many as asked for by GET and by POST, 50 when left out',
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
    title: 'every value of a fixed set is taken, and one that is not of it is refused',
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
        probe.assert(other.status < 500, 'it is no fault of the service', other)
      }
    },
  },
]

/** Whether the last of so many addresses is read, and the one after it not. */
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

/** An address that nobody has, another one for every number. */
const unused = (at: number) => `0x${'f'.repeat(32)}${at.toString(16).padStart(8, '0')}`

/** How many intervals there are, in any of the forms of `kline_data` (open). */
function lengthOf(data: unknown): number {
  if (Array.isArray(data)) return data.length
  const [first] = isJsonObject(data) ? Object.values(data).filter(Array.isArray) : []
  return first?.length ?? 0
}
