import { assertAtLeast, assertSame, assertUnique } from '../assertions.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { objectsOf } from '../response-reading.ts'

/** Coins (the service's documentation, Futures, index and coin data). */
export const COIN_CASES: readonly Case[] = [
  {
    id: 'coin.keys',
    title: 'no two coins have the same coin_key',
    checks: ['record.coin.key'],
    run: async (probe: Probe) => {
      const keys = (await objectsOf(probe, { path: '/coin' })).map((row) => row.coin_key)
      assertAtLeast(probe, keys.length, 1, 'there are coins')
      assertUnique(probe, keys, 'each coin_key stands once')
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
          assertSame(probe, found, [...wanted].sort(), `${path} answers ${wanted}`)
        }
    },
  },
]
