import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { isSuccess, objectOf, objectsOf } from '../response-reading.ts'
import { isSameJson } from '../value-checks.ts'

/**
 * Coins, indexes and the indicators over them (the service's documentation, Futures, index and coin
 * data).
 */
export const COIN_CASES: readonly Case[] = [
  {
    id: 'coin.keys',
    title: 'no two coins have the same coin_key',
    checks: ['record.coin.key'],
    run: async (probe: Probe) => {
      const keys = (await objectsOf(probe, { path: '/coin' })).map((row) => row.coin_key)
      probe.assert(keys.length > 0, 'there are coins')
      probe.assert(new Set(keys).size === keys.length, 'each coin_key stands once')
    },
  },
  {
    id: 'coin.lists',
    title: 'tickers and profiles are of the coins of coin_list and of no others',
    checks: ['coin.ticker.list'],
    run: async (probe: Probe) => {
      const coins = await objectsOf(probe, { path: '/coin' })
      const keys = coins.slice(0, 3).map((row) => String(row.coin_key))
      for (const path of ['/coin/ticker', '/coin/config'])
        for (const wanted of [keys, keys.slice(1, 2)]) {
          const rows = await objectsOf(probe, { path, query: { coin_list: wanted.join(',') } })
          const found = rows.map((row) => String(row.coin_key)).sort()
          probe.assert(isSameJson(found, [...wanted].sort()), `${path} answers ${wanted}`, found)
        }
    },
  },
  {
    id: 'index.count',
    title: 'count of the index list is the number of its items, as text',
    checks: ['record.indexItem.count'],
    run: async (probe: Probe) => {
      const data = await objectOf(probe, { path: '/index/getIndex' })
      const list = Array.isArray(data.list) ? data.list : []
      probe.assert(data.count === String(list.length), 'count is the length of list, as text')
    },
  },
  {
    id: 'index.keys',
    title: 'every key of the index list has a price and a description',
    checks: ['index.price.key'],
    run: async (probe: Probe) => {
      const list = await objectsOf(probe, { path: '/index/getIndex' }, 'list')
      for (const { key } of list.slice(0, 5))
        for (const path of ['/index/indexPrice', '/index/indexInfo']) {
          const answer = await probe.request({ path, query: { key: String(key) } })
          probe.assert(isSuccess(answer), `${path} knows the listed key ${key}`)
        }
    },
  },
]
