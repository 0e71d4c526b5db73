import type { Case } from '../../case.ts'
import { isOfUnit, marginReturn, positionReturn } from '../../margin-returns.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectsOf, retryUntilHeld } from '../../response-reading.ts'
import {
  busyTraders,
  type ClosedPosition,
  positionsIn,
  someClosedPosition,
  someOpenPosition,
} from '../../target-lookups.ts'
import { columnSum, isClose } from '../../value-checks.ts'
import { type Identities, identityCase, isRatio, numberIn } from './identity.ts'

/** What a trade gained on its entry, in percent. */
const gain = (row: JsonObject) =>
  (numberIn(row, 'exitPrice') / numberIn(row, 'entryPrice') - 1) *
  (row.side === 'long' ? 100 : -100)

const trades = (id: string, request: (address: string) => Awaited<ReturnType<Request>>) =>
  identityCase({
    id: `meaning.${id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    title: `pnlPercent of ${id} is what was gained on the entry, in percent`,
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

/** Percentages and fractions, each by the numbers that it is made of. */
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
    // A small change may be a large part of itself between two looks at a fast market.
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
      // A small change may be a large part of itself between two looks at a fast market.
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
