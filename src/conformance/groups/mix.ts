/** Features of the whole market. */

import type { Parameter } from '../../contract/parameters.ts'
import type { TestedOperation } from '../derived/tested-operation.ts'
import type { Effect, EffectTable } from '../effects/effect.ts'
import { differs, languages, part } from '../effects/selection.ts'
import type { Case, Probe } from '../probe.ts'
import type { Observers } from '../requirement.ts'
import { byAnswers, byValues, type Requirement, requirementsOfSection } from '../requirement.ts'
import {
  assertObject,
  assertSame,
  isClose,
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsOf,
  retryUntilHeld,
  whileStill,
} from '../responses.ts'

/** All valid coins. */
const EVERY_COIN = 'btc,ltc,eth,bch,xrp,xlm,zec,zen,etc'

/** Features of the whole market (the service's documentation, Feature and signal data). */
export const MIX_CASES: readonly Case[] = [
  {
    id: 'mix.scale.coins',
    title: 'fund-scale is of the requested coins',
    checks: ['mix.fundcoScale.coins'],
    run: async (probe: Probe) => {
      const found = async (coins: string) =>
        Object.keys(await detail(probe, '/mix/fundco-scale', { coins })).sort()
      for (const coins of ['btc', 'eth,btc'])
        assertSame(probe, await found(coins), coins.split(',').sort(), `detail has ${coins}`)
      // A response in dollars may leave out coins without a price.
      const all = await found(EVERY_COIN)
      const requested = all.every((coin) => EVERY_COIN.split(',').includes(coin))
      probe.assert(requested && all.length > 2, `detail has ${EVERY_COIN}`, all)
    },
  },
  {
    id: 'mix.scale.percent',
    title: 'percent of fund-scale is the change as a fraction of one',
    checks: ['record.scale.percent'],
    run: async (probe: Probe) => {
      const scales = await detail(probe, '/mix/fundco-scale', { coins: EVERY_COIN })
      for (const [coin, scale] of Object.entries(scales)) {
        assertObject(probe, scale, `${coin} is an object`)
        const [total, change, percent] = ['total', 'day_change', 'percent'].map((name) =>
          Number(scale[name]),
        ) as [number, number, number]
        const fits = [total, total - change].some((base) => {
          if (base === 0) return isClose(percent, 0, 0, ROUNDED_MOST)
          const rounded = unitOf(scale.day_change) / base + unitOf(scale.percent)
          return isClose(percent, change / base, 0.01, Math.min(rounded, ROUNDED_MOST))
        })
        probe.assert(fits, `percent of ${coin} is day_change as a part of total`, scale)
      }
    },
  },
  {
    id: 'mix.liquidations.sums',
    title: 'long and short liquidations add up to all of them',
    checks: ['record.mixLiquidation.sums'],
    run: async (probe: Probe) => {
      for (const query of [
        {},
        { type: 1, coinKey: 'bitcoin' },
        { type: 2, marketKey: 'binance' },
      ]) {
        const row = await detail(probe, '/mix/liq', query)
        for (const span of ['1h', '24h']) {
          const sum = Number(row[`liqLong${span}`]) + Number(row[`liqShort${span}`])
          probe.assert(isClose(row[`liq${span}`], sum), `long and short of ${span} add up`, row)
        }
      }
    },
  },
  {
    id: 'mix.liquidations.currency',
    title: 'liquidation statistics are in cny by default and in usd on request',
    checks: ['mix.liq.currency'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const liq24h = async (query = {}) => Number((await detail(probe, '/mix/liq', query)).liq24h)
        return whileStill(liq24h, async (usual) => {
          const cny = await liq24h({ currency: 'cny' })
          const usd = await liq24h({ currency: 'usd' })
          if (usual !== cny) return 'without a currency the numbers are those of cny'
          return usd === 0 || cny > usd * 2 ? null : 'a sum in cny is several times that in usd'
        })
      }),
  },
]

async function detail(probe: Probe, path: string, query = {}): Promise<JsonObject> {
  const data = await objectOf(probe, { path, query })
  assertObject(probe, data.detail, `detail of ${path} is an object`)
  return data.detail
}

/** The last decimal place of a written number. */
const unitOf = (value: unknown): number => 10 ** -(String(value).split('.')[1] ?? '').length

/** A larger fraction is not due to rounding. */
const ROUNDED_MOST = 0.0005

/** Liquidations within 24 hours. */
function dayOf(data: unknown): number {
  const detail = isJsonObject(data) && isJsonObject(data.detail) ? data.detail : {}
  return Number(detail.liq24h ?? 0)
}

const having =
  (query: Record<string, string>, effect: Effect): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    effect(requested.with({ query }), parameter)

/** By coin the coin is read, and by market it is not: otherwise the types are mistaken. */
const kinds: Effect = (requested: TestedOperation) =>
  retryUntilHeld(requested.probe, async () => {
    const coinKey = 'bitcoin'
    const dayBy = async (query: Record<string, string>) =>
      dayOf(await requested.with({ query }).data())
    return whileStill(
      () => dayBy({ type: '1', coinKey }),
      async (ofCoin) => {
        const ofMarkets = await dayBy({ type: '2', coinKey })
        return ofCoin <= ofMarkets * 1.0001
          ? null
          : 'type is by coin for 1 and by market for 2, not the other way round'
      },
    )
  })

/** A part that is judged only where the types are read rightly. */
const byKind =
  (type: '1' | '2', effect: Effect): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    await kinds(requested, parameter)
    await having({ type }, effect)(requested, parameter)
  }

const BOTH = { coinKey: 'bitcoin', marketKey: 'binance' }

/** Effects of parameters of whole-market features, by operation and parameter. */
export const MIX_EFFECTS: EffectTable = {
  'mix.fundcoScale': { coins: { caseId: 'mix.scale.coins' } },
  'mix.liq': {
    currency: { caseId: 'mix.liquidations.currency' },
    type: {
      effect: async (requested, parameter) => {
        await kinds(requested, parameter)
        await having(BOTH, differs(['1', '2'], dayOf))(requested, parameter)
      },
    },
    coinKey: { effect: byKind('1', part(dayOf, ['bitcoin', 'ethereum'])) },
    marketKey: { effect: byKind('2', part(dayOf, ['binance', 'okex'])) },
  },
  'mix.nav': { lan: { listed: languages({ cn: 'cn', en: 'en' }, 'coin_name') } },
}

/** Observers of the open questions about features of the whole market. */
export const MIX_OBSERVERS: Observers = {
  'fundco-scale-unit': async (probe: Probe) => {
    const query = { coins: 'btc' }
    const { detail } = await objectOf(probe, { path: '/mix/fundco-scale', query })
    const bitcoin = isJsonObject(detail) && isJsonObject(detail.btc) ? Number(detail.btc.total) : 0
    if (!(bitcoin > 0)) probe.skip('the target has no total of bitcoin trusts')
    // There are never more bitcoins than this.
    return bitcoin < 21_000_000 ? 'coin' : 'usd'
  },
  'nav-trades': async (probe: Probe) => {
    const rows = await objectsOf(probe, { path: '/mix/nav' })
    const lists = rows.map(({ trades }) => trades).filter(Array.isArray)
    if (lists.length === 0) return null
    return lists.some((trades) => trades.length > 0) ? 'recent' : 'empty'
  },
  'stock-market-form': async (probe: Probe) => {
    const { detail } = await objectOf(probe, { path: '/mix/stock-market' })
    return Array.isArray(detail) ? 'list' : isJsonObject(detail) ? 'one' : null
  },
}

/** Requirements of the contract on features of the whole market. */
export const MIX_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Feature and signal data', {
    'mix.fundcoScale.coins': 'detail of fund-scale has only the requested coins.',
    'mix.liq.currency': 'currency of liquidation statistics is cny or usd, and cny by default.',
    'mix.liq.type': byValues(
      'type of liquidation statistics is 1 by coin or 2 by market.',
      'mix.liq',
    ),
  }),
  ...requirementsOfSection('Resources: Signals', {
    'record.navigation': byAnswers(
      'A navigation item has key, key_type 1 or 3, names, last, market and trades.',
      'mix.nav',
    ),
    'record.lsRatio': byAnswers(
      'The long/short ratio has last, last_day and last_week.',
      'mix.lsRatio',
    ),
    'record.trust': byAnswers(
      'Fund-trust has key, show, name, last, open, high, low and degree_24h.',
      'mix.fundcoTrust',
    ),
    'record.scale': byAnswers(
      'Fund-scale has total, day_change and percent for a coin.',
      'mix.fundcoScale',
    ),
    'record.scale.percent': 'percent of fund-scale is a fraction of one, not of a hundred.',
    'record.mixLiquidation': byAnswers(
      'Liquidation statistics have sums of 1 h and 24 h by side, the greatest, and its ' +
        'markets.',
      'mix.liq',
    ),
    'record.mixLiquidation.sums':
      'In liquidation statistics long and short add up to the total, of 1 h and of 24 h.',
    'record.stockMarket': byAnswers(
      'Stock-market has key, name, last and degree.',
      'mix.stockMarket',
    ),
  }),
]
