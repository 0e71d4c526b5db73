/** Coins. */

import type { EffectTable } from '../effects/effect.ts'
import type { Case, Probe } from '../probe.ts'
import {
  byAnswers,
  byName,
  type Observers,
  type Requirement,
  requirementsOfSection,
} from '../requirement.ts'
import { assertAtLeast, assertSame, assertUnique, objectsOf } from '../responses.ts'

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

/** Effects of coin parameters, by operation and parameter. */
export const COIN_EFFECTS: EffectTable = {
  'coin.config': { coin_list: { caseId: 'coin.lists' } },
  'coin.ticker': { coin_list: { caseId: 'coin.lists' } },
}

/** Observers of the open questions about coins. */
export const COIN_OBSERVERS: Observers = {
  'coin-ticker-variant': byName(() => ({ path: '/coin/ticker', query: { coin_list: 'bitcoin' } }), {
    degree_7day_usd: 'current',
    usdt_funding_rate: 'older',
  }),
}

/** Requirements of the contract on coins. */
export const COIN_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'coin.ticker.list':
      'coin_list is coin keys separated by commas, and the answer contains these coins.',
  }),
  ...requirementsOfSection('Resources: Coins', {
    'record.coin': byAnswers(
      'A coin has coin_key, hash_key, show, cn_name and en_name, all text.',
      'coin.list',
    ),
    'record.coin.key': 'coin_key identifies one coin.',
    'record.coinTicker': byAnswers(
      'A coin ticker has price, degree, supply, turnover and inflow in both currencies, all ' +
        'text.',
      'coin.ticker',
    ),
    'record.coinProfile': byAnswers(
      'A coin profile has eight texts, where empty means no data, and a distribution.',
      'coin.config',
    ),
    'record.coinProfile.distribution': byAnswers(
      'A share of the distribution has the texts ico and foundation.',
      'coin.config',
    ),
  }),
]
