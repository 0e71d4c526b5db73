/** Indexes. */

import type { Parameter } from '../../contract/parameters.ts'
import type { TestedOperation } from '../derived/tested-operation.ts'
import { type Effect, type EffectTable, someIndexKeys } from '../effects/effect.ts'
import { apart, differs, languages } from '../effects/selection.ts'
import type { Case, Probe } from '../probe.ts'
import {
  among,
  byAnswers,
  byValues,
  dataIn,
  type Observers,
  type Requirement,
  requirementsOfSection,
} from '../requirement.ts'
import {
  assertSame,
  assertSuccess,
  isJsonObject,
  isSuccess,
  type JsonObject,
  objectOf,
  objectsOf,
} from '../responses.ts'

/** Indexes (the service's documentation, Futures, index and coin data). */
export const INDEX_CASES: readonly Case[] = [
  {
    id: 'index.count',
    title: 'count of the index list is the number of its items, as text',
    checks: ['record.indexItem.count'],
    run: async (probe: Probe) => {
      const data = await objectOf(probe, { path: '/index/getIndex' })
      const list = Array.isArray(data.list) ? data.list : []
      assertSame(probe, data.count, String(list.length), 'count is the length of list, as text')
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
          assertSuccess(probe, answer, `${path} knows the listed key ${key}`)
        }
    },
  },
]

/** An amount index is several times as large in yuan as in dollars. */
const currencyOfIndex: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const ratios: number[] = []
  for (const key of (await someIndexKeys(requested.probe)).slice(0, KEYS_MAX)) {
    const one = requested.with({ query: { key } })
    const price = async (currency: string) => {
      const data = (await one.withValue(parameter, currency).data()) as { price?: unknown } | null
      return Number(data?.price ?? Number.NaN)
    }
    const ratio = (await price('cny')) / (await price('usd'))
    if (ratio > 2) return apart(parameter.schema.enum as string[], priceIn)(one, parameter)
    if (Number.isFinite(ratio)) ratios.push(ratio)
  }
  if (ratios.length === 0) requested.probe.skip('the target has no price of an index')
  requested.probe.assert(false, 'some index costs several times as many yuan as dollars', ratios)
}

const priceIn = (data: unknown) => (isJsonObject(data) ? data.price : null)

/** Number of indexes searched for an amount; some are scores. */
const KEYS_MAX = 8

const text = ({ name, introduce }: Record<string, unknown>) => `${name} ${introduce}`

/** Effects of index parameters, by operation and parameter. */
export const INDEX_EFFECTS: EffectTable = {
  'index.info': {
    key: { effect: differs(someIndexKeys) },
    lan: { listed: languages({ cn: 'cn', en: 'en' }, text) },
  },
  'index.price': {
    key: { effect: differs(someIndexKeys) },
    currency: { effect: currencyOfIndex },
  },
}

/** Observers of the open questions about indexes. */
export const INDEX_OBSERVERS: Observers = {
  'index-info-signature': async (probe) => {
    const query = { key: 'i:total:index' }
    const request = { path: '/index/indexInfo', query, signedIn: 'nowhere' } as const
    return isSuccess(await probe.request(request)) ? 'open' : 'signed'
  },
  'index-without-price': async (probe) => {
    const data = await dataIn(probe, { path: '/index/getIndex' })
    const list = isJsonObject(data) && Array.isArray(data.list) ? (data.list as JsonObject[]) : null
    if (list === null) return null
    return list.some((row) => Object.values(row).includes('-')) ? 'dash' : 'none'
  },
  'index-unknown': async (probe) => {
    const exchange = await probe.request({ path: '/index/indexPrice', query: { key: 'nothing' } })
    if (isSuccess(exchange) || !isJsonObject(exchange.json)) return null
    return among(exchange.json.errorCode, ['304', '400'])
  },
}

/** Requirements of the contract on indexes. */
export const INDEX_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'index.price.key': 'The key of an index price is in the index list.',
    'index.info.lan': byValues('lan of the index info is en or cn.', 'index.info'),
  }),
  ...requirementsOfSection('Resources: Index', {
    'record.indexPrice': byAnswers('An index price has nine texts.', 'index.price'),
    'record.indexInfo': byAnswers('An index info has eight texts.', 'index.info'),
    'record.indexItem': byAnswers(
      'An item of the index list has nine texts, and the list has a count as text.',
      'index.list',
    ),
    'record.indexItem.count': 'count of the index list is the number of its items, as text.',
  }),
]
