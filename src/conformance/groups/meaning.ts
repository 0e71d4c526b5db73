/** Consistency of numbers in a response: prices and percentages. */

import {
  busyTraders,
  type ClosedPosition,
  positionsIn,
  someClosedPosition,
  someOpenPosition,
} from '../example-filler.ts'
import type { Case, Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import {
  column,
  columnSum,
  dataOf,
  isClose,
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsOf,
  retryUntilHeld,
} from '../responses.ts'

interface Identities {
  /** `meaning.` and the topic. */
  id: string
  title: string
  checks: readonly string[]
  request: ProbeRequest | ((probe: Probe) => Promise<ProbeRequest>)
  /** The records in the data; its rows, its list or itself when left out. */
  records?: (data: unknown) => JsonObject[]
  /** Sentences, and their conditions on a record. */
  holds: Readonly<Record<string, (row: JsonObject) => boolean>>
}

/** The case of some identities: one request, every record checked. */
export const identityCase = ({ id, title, checks, request, records, holds }: Identities): Case => ({
  id,
  title,
  checks,
  run: async (probe: Probe) => {
    const requested = typeof request === 'function' ? await request(probe) : request
    const rows = (records ?? recordsOf)(await dataOf(probe, requested))
    if (rows.length === 0) probe.skip(`the target has no records of ${requested.path}`)
    for (const row of rows)
      for (const [sentence, isTrue] of Object.entries(holds))
        probe.assert(isTrue(row), `${requested.path}: ${sentence}`, row)
  },
})

/** The rows of data, of its list or its detail; else itself. */
function recordsOf(data: unknown): JsonObject[] {
  if (Array.isArray(data)) return data.filter(isJsonObject)
  if (!isJsonObject(data)) return []
  if (Array.isArray(data.list)) return data.list.filter(isJsonObject)
  return isJsonObject(data.detail) ? [data.detail] : [data]
}

/** A column as a number. */
export const numberIn = (row: JsonObject, name: string): number => Number(row[name])

/** A fraction of one, not a percentage; false for null and missing values. */
export const isFraction = (value: unknown): boolean =>
  value === null || value === undefined || (Number(value) >= 0 && Number(value) <= 1)

/** Whether a column is the quotient of two others, except for rounding. */
export const isRatio = (value: unknown, part: number, whole: number, rounded = 1e-4): boolean =>
  whole === 0 || isClose(value, part / whole, 1e-4, rounded)

/** Whether the columns ascend: lowest, values in between, highest. */
export const isBetween = (row: JsonObject, low: string, inner: string[], high: string): boolean =>
  inner.every(
    (name) =>
      numberIn(row, low) <= numberIn(row, name) && numberIn(row, name) <= numberIn(row, high),
  )

const CURRENCIES = ['price', 'supply', 'trade_24h']

/** Consistency of coin, index and stock prices. */
export const PRICE_MEANING_CASES: readonly Case[] = [
  identityCase({
    id: 'meaning.coins',
    title: 'a coin has the same rate of yuan to dollars in its price, its cap and its turnover',
    checks: ['record.coinTicker'],
    request: async (probe) => {
      const { json } = await probe.request({ path: '/coin' })
      const rows = (json as { data?: { coin_key?: unknown }[] }).data ?? []
      const keys = rows.slice(0, 20).map(({ coin_key }) => String(coin_key))
      return { path: '/coin/ticker', query: { coin_list: keys.join(',') } }
    },
    holds: {
      'yuan over dollars are the same': (row) => {
        const rates = CURRENCIES.filter((name) => numberIn(row, `${name}_usd`) > 0).map(
          (name) => numberIn(row, `${name}_cny`) / numberIn(row, `${name}_usd`),
        )
        return rates.every((rate) => rate > 2 && isClose(rate, rates[0], 0.02))
      },
    },
  }),
  identityCase({
    id: 'meaning.index',
    title: 'an index lies between its lowest and its highest, and degree24H is a percentage',
    checks: ['record.indexPrice'],
    request: async (probe) => {
      const { list } = await objectOf(probe.lookup, { path: '/index/getIndex' })
      const [first] = Array.isArray(list) ? list : []
      if (!isJsonObject(first)) return probe.skip('the target lists no index')
      return { path: '/index/indexPrice', query: { key: String(first.key) } }
    },
    holds: {
      'price lies between low and high': (row) => isBetween(row, 'low', ['price'], 'high'),
      'degree24H is change24H in percent of what it was': (row) => {
        const change = numberIn(row, 'change24H')
        const before = numberIn(row, 'price') - change
        return before === 0 || isClose(row.degree24H, (change / before) * 100, 0.2, 0.05)
      },
    },
  }),
  identityCase({
    id: 'meaning.quotes',
    title: 'a quote lies between the lowest and the highest of its day',
    checks: ['record.quote'],
    request: { path: '/crypto_stock/quotes' },
    holds: {
      'last_price lies between low and high': (row) =>
        isBetween(row, 'low', ['last_price'], 'high'),
    },
  }),
  identityCase({
    id: 'meaning.trust',
    title: 'a share of the trust lies between the lowest and the highest of its day',
    checks: ['record.trust'],
    request: { path: '/mix/fundco-trust' },
    holds: { 'last lies between low and high': (row) => isBetween(row, 'low', ['last'], 'high') },
  }),
  {
    id: 'meaning.changes',
    title: 'the change of a day in change signals is in the unit of the coin tickers',
    checks: ['record.changeSignal'],
    run: async (probe: Probe) => {
      const coins = await objectsOf(probe.lookup, { path: '/coin' })
      const keyOf = new Map(coins.map(({ show, coin_key }) => [show, String(coin_key)]))
      const rows: JsonObject[] = []
      for (const type of TYPES) {
        const request = { path: '/signal/changeSignal', query: { type } }
        const found = await objectsOf(probe, request, 'list')
        rows.push(...found.filter(({ show }) => keyOf.has(show as string)))
        if (rows.length >= ROWS_ENOUGH) break
      }
      const keys = [...new Set(rows.map(({ show }) => keyOf.get(show as string)))].slice(0, 100)
      if (rows.length < ROWS_ENOUGH) probe.skip('there are few change signals now')
      const query = { coin_list: keys.join(',') }
      const tickers = await objectsOf(probe.lookup, { path: '/coin/ticker', query })
      const [reported, known] = [meanSize(rows, 'degree_24h'), meanSize(tickers, 'degree_24h_usd')]
      // Changes differ between instants: only a factor of a hundred cannot be chance.
      probe.assert(reported === 0 || reported * 30 > known, 'degree_24h is not a hundredth', {
        reported,
        known,
      })
    },
  },
]

/** Frequent ones first. */
const TYPES = ['8', '7', '5', '3', '4', '1', '2', '17', '18', '23', '24']

/** Number of signals that do not all have small changes by chance. */
const ROWS_ENOUGH = 20

const meanSize = (rows: readonly JsonObject[], name: string) =>
  column(rows, name).reduce((sum, value) => sum + Math.abs(value), 0) / rows.length

/** Gain of a trade on its entry, in percent. */
const gain = (row: JsonObject) =>
  (numberIn(row, 'exitPrice') / numberIn(row, 'entryPrice') - 1) *
  (row.side === 'long' ? 100 : -100)

const trades = (id: string, request: (address: string) => Awaited<ReturnType<Request>>) =>
  identityCase({
    id: `meaning.${id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    title: `pnlPercent of ${id} is the gain on the entry, in percent`,
    checks: [`operation.perpdex.${id}`],
    request: async (probe) => request((await busyTraders(probe))[0] ?? ''),
    holds: {
      'pnlPercent is of the entry, in percent': (row) =>
        isOfUnit(row.pnlPercent, gain(row), SURELY),
    },
  })

type Request = Extract<Identities['request'], (probe: Probe) => unknown>

/** In percent: fees change it by less. */
const SURELY = 0.5

const history = (state: 'current' | 'completed') =>
  identityCase({
    id: `meaning.${state}-position-history`,
    title: `returnOnEquity of a ${state} position is a fraction of its margin`,
    checks: [`operation.perpdex.${state}PositionHistory`],
    request: async (probe) => {
      const { address, coin, openTime, closeTime }: Partial<ClosedPosition> =
        state === 'current' ? await someOpenPosition(probe) : await someClosedPosition(probe)
      const query: Record<string, number> =
        openTime && closeTime ? { startTime: openTime, endTime: closeTime } : {}
      const of = encodeURIComponent(String(coin))
      const path = `/hl/traders/${address}/${state}-position-history/${of}`
      return { path, query }
    },
    records: (data) =>
      isJsonObject(data) && Array.isArray(data.history) ? data.history.filter(isJsonObject) : [],
    holds: {
      'returnOnEquity is of the margin at entry, as a fraction': (row) =>
        isOfUnit(
          row.returnOnEquity,
          marginReturn(row.unrealizedPnl, row.size, row.entryPrice, row.leverage),
        ),
    },
  })

/** Percentages and fractions, each against the numbers it is computed from. */
export const PERCENTAGE_CASES: readonly Case[] = [
  trades('bestTrades', (address) => ({
    path: `/hl/traders/${address}/best-trades`,
    query: { period: 7 },
  })),
  trades('completedTrades', (address) => ({ path: `/hl/traders/${address}/completed-trades` })),
  trades('completedTradesByTime', (address) => ({
    method: 'POST',
    path: `/hl/traders/${address}/completed-trades/by-time`,
    body: { pageNum: 1, pageSize: 20 },
  })),
  history('current'),
  history('completed'),
  identityCase({
    id: 'meaning.returns',
    title: 'returnOnEquity of an account state is a fraction of the margin at entry',
    checks: ['record.state'],
    request: async (probe) => ({
      method: 'POST',
      path: '/hl/traders/clearinghouse-state',
      body: { addresses: (await busyTraders(probe)).slice(0, 20) },
    }),
    records: (data) => (Array.isArray(data) ? data : []).filter(isJsonObject).flatMap(positionsIn),
    holds: {
      'returnOnEquity is unrealizedPnl as a fraction of the margin at entry': (row) =>
        isOfUnit(row.returnOnEquity, positionReturn(row)),
    },
  }),
  identityCase({
    id: 'meaning.performance',
    title: 'winRate by coin is winCount in percent of tradeCount',
    checks: ['operation.perpdex.performanceByCoin'],
    request: async (probe) => {
      const [address] = await busyTraders(probe)
      return { path: `/hl/traders/${address}/performance-by-coin`, query: { period: 0 } }
    },
    holds: {
      'winRate is winCount in percent': (row) =>
        isRatio(row.winRate, numberIn(row, 'winCount') * 100, numberIn(row, 'tradeCount'), 0.02),
    },
  }),
  identityCase({
    id: 'meaning.distribution',
    title: 'the parts of the distribution of a coin are percentages: a hundred together',
    checks: ['operation.coin.config'],
    request: { path: '/coin/config', query: { coin_list: 'bitcoin,ethereum' } },
    holds: {
      'foundation is in percent': ({ distribution }) => {
        const parts = Array.isArray(distribution) ? distribution.filter(isJsonObject) : []
        return parts.length === 0 || isClose(columnSum(parts, 'foundation'), 100, 0.02)
      },
    },
  }),
  {
    id: 'meaning.insights',
    title: 'degree of an insight is the change of its coin in percent, as the ticker has it',
    checks: ['operation.content.aiCoins'],
    // Between two reads of a fast market, a small change may differ by a large factor.
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const keys = ['bitcoin', 'ethereum', 'solana']
        const query = { coin_list: keys.join(',') }
        const tickers = await objectsOf(probe, { path: '/coin/ticker', query })
        const body = { coinKeys: keys, language: 'EN' }
        const request = { method: 'POST', path: '/content/ai-coins', body } as const
        for (const { coinKey, degree } of await objectsOf(probe, request, 'list')) {
          const ticker = tickers.find(({ coin_key }) => coin_key === coinKey)
          const change = Number(ticker?.degree_24h_usd ?? Number.NaN)
          if (!isOfUnit(degree, change, 0.2))
            return `degree of ${coinKey} is in percent: ${degree} beside ${change}`
        }
        return null
      }),
  },
  {
    id: 'meaning.indexes',
    title: 'degree24h of the index list is the degree24H of its price',
    checks: ['operation.index.list', 'record.indexPrice'],
    run: async (probe: Probe) => {
      const listed = () => objectsOf(probe, { path: '/index/getIndex' }, 'list')
      // Between two reads of a fast market, a small change may differ by a large factor.
      for (const [at, { key }] of (await listed()).slice(0, 4).entries())
        await retryUntilHeld(probe, async () => {
          const { degree24h } = (await listed())[at] ?? {}
          const query = { key: String(key) }
          const { json } = await probe.request({ path: '/index/indexPrice', query })
          const data = isJsonObject(json) && isJsonObject(json.data) ? json.data : {}
          if (isOfUnit(degree24h, Number(data.degree24H), 0.2)) return null
          return `degree24h of ${key} is in percent: ${degree24h} beside ${data.degree24H}`
        })
    },
  },
]

// Returns on margin, against the numbers they are computed from: fractions, not percentages.

/** Smaller values are not evidence: fees and rounding change them by as much. */
const LEAST = 0.005

/**
 * Whether a value has the unit of another: about its size. Fees may be included or not, and values
 * that round to little are no evidence.
 */
const isOfUnit = (value: unknown, right: number, least = LEAST): boolean =>
  !Number.isFinite(right) ||
  Math.abs(right) < least ||
  (Math.abs(Number(value)) > Math.abs(right) / 10 && Math.abs(Number(value)) < Math.abs(right) * 10)

/** Gain of a position on its margin at entry, as a fraction. */
const marginReturn = (pnl: unknown, size: unknown, price: unknown, leverage: unknown) =>
  (Number(pnl) * Number(leverage)) / Math.abs(Number(size) * Number(price))

/** Gain of an account state's position on its margin, as a fraction. */
function positionReturn({ unrealizedPnl, szi, entryPx, leverage }: JsonObject): number {
  const times = isJsonObject(leverage) ? leverage.value : Number.NaN
  return marginReturn(unrealizedPnl, szi, entryPx, times)
}

/** Where returnOnEquity of a position is no fraction of its margin at entry; null for none. */
export function returnFlaw(positions: readonly JsonObject[]): string | null {
  const wrong = positions.find((one) => !isOfUnit(one.returnOnEquity, positionReturn(one)))
  if (!wrong) return null
  const right = positionReturn(wrong).toPrecision(3)
  return `returnOnEquity ${wrong.returnOnEquity} is not the ${right} of the margin at entry`
}
