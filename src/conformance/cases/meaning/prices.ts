import type { Case } from '../../case.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectOf, objectsOf } from '../../response-reading.ts'
import { column, isClose } from '../../value-checks.ts'
import { identityCase, isBetween, numberIn } from './identity.ts'

const CURRENCIES = ['price', 'supply', 'trade_24h']

/** What prices of coins, indexes and stocks say of themselves. */
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
      const [told, known] = [meanSize(rows, 'degree_24h'), meanSize(tickers, 'degree_24h_usd')]
      // At other instants changes are others: only a hundredth is no chance.
      probe.assert(told === 0 || told * 30 > known, 'degree_24h is not a hundredth', {
        told,
        known,
      })
    },
  },
]

/** Of those that come often first. */
const TYPES = ['8', '7', '5', '3', '4', '1', '2', '17', '18', '23', '24']

/** So many signals have no small changes by chance. */
const ROWS_ENOUGH = 20

const meanSize = (rows: readonly JsonObject[], name: string) =>
  column(rows, name).reduce((sum, value) => sum + Math.abs(value), 0) / rows.length
