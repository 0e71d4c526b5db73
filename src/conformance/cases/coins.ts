import type { Case } from '../case.ts'
import { same } from '../judging.ts'
import type { Probe } from '../probe.ts'
import { isSuccess, rowOf, rowsOf } from '../reading.ts'

/** Coins, indexes and the indicators over them (spec, Futures, index and coin data). */
export const COIN_CASES: readonly Case[] = [
  {
    id: 'coins.keys',
    title: 'no two coins have the same coin_key',
    checks: ['record.coin.key'],
    run: async (probe: Probe) => {
      const keys = (await rowsOf(probe, { path: '/coin' })).map((row) => row.coin_key)
      probe.hold(keys.length > 0, 'there are coins')
      probe.hold(new Set(keys).size === keys.length, 'each coin_key stands once')
    },
  },
  {
    id: 'coins.lists',
    title: 'tickers and profiles are of the coins of coin_list and of no others',
    checks: ['coin.ticker.list'],
    run: async (probe: Probe) => {
      const coins = await rowsOf(probe, { path: '/coin' })
      const keys = coins.slice(0, 3).map((row) => String(row.coin_key))
      for (const path of ['/coin/ticker', '/coin/config'])
        for (const wanted of [keys, keys.slice(1, 2)]) {
          const rows = await rowsOf(probe, { path, query: { coin_list: wanted.join(',') } })
          const found = rows.map((row) => String(row.coin_key)).sort()
          probe.hold(same(found, [...wanted].sort()), `${path} answers ${wanted}`, found)
        }
    },
  },
  {
    id: 'coins.indexes.count',
    title: 'count of the index list is the number of its items, as text',
    checks: ['record.indexItem.count'],
    run: async (probe: Probe) => {
      const data = await rowOf(probe, { path: '/index/getIndex' })
      const list = Array.isArray(data.list) ? data.list : []
      probe.hold(data.count === String(list.length), 'count is the length of list, as text')
    },
  },
  {
    id: 'coins.indexes.keys',
    title: 'every key of the index list has a price and a description',
    checks: ['index.price.key'],
    run: async (probe: Probe) => {
      const list = await rowsOf(probe, { path: '/index/getIndex' }, 'list')
      for (const { key } of list.slice(0, 5))
        for (const path of ['/index/indexPrice', '/index/indexInfo']) {
          const answer = await probe.ask({ path, query: { key: String(key) } })
          probe.hold(isSuccess(answer), `${path} knows the listed key ${key}`)
        }
    },
  },
]
