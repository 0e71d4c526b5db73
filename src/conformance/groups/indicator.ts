/** Indicators and their k-lines. */

import { DAY_MS } from '../../clock/instant.ts'
import type { Parameter } from '../../contract/parameters.ts'
import { timeOf } from '../declared-violations.ts'
import { rowsIn, type TestedOperation } from '../derived/tested-operation.ts'
import { type Effect, type EffectEntry, type EffectTable, twoPairs } from '../effects/effect.ts'
import { differs } from '../effects/selection.ts'
import { cursor, type Span, steps } from '../effects/spans.ts'
import { pairKey, somePair } from '../example-filler.ts'
import type { Case, Probe } from '../probe.ts'
import {
  byRequired,
  dataIn,
  type Observers,
  type Requirement,
  refusedOr,
  requirementsOfSection,
} from '../requirement.ts'
import { assertSame, isJsonObject, isSuccess, objectOf } from '../responses.ts'

/** Indicators of pairs (the service's documentation, Indicator keys). */
export const INDICATOR_CASES: readonly Case[] = [
  {
    id: 'indicator.forms',
    title: 'indicator k-lines have the columns that are listed for their key',
    checks: ['indicator.keys', 'operation.indicator.records'],
    run: async (probe: Probe) => {
      let seen = 0
      for (const [key, names] of Object.entries(COLUMNS)) {
        const symbol = await pairWith(probe, key)
        if (symbol === null) continue
        const query = { symbol, indicator_key: key, period: 3600, size: 5 }
        const data = await objectOf(probe, { path: '/indicatorKline/dataRecords', query })
        const found = columnsOf(data.kline_data)
        if (found === null) continue
        seen++
        const missing = names.filter((name) => !found.includes(name))
        assertSame(probe, missing, [], `${key} has ${names.join(', ')}`)
      }
      if (seen === 0) probe.skip('no indicator has data now')
    },
  },
]

const COLUMNS: Record<string, string[]> = {
  fundflow: ['time', 'value'],
  ttsi: ['time', 'buyAccount', 'sellAccount'],
  ttmu: ['time', 'buyInterest', 'sellInterest'],
  position: ['time', 'open', 'high', 'low', 'close'],
  lsur: ['time', 'sellAccount', 'buyAccount', 'ratios'],
  tvolume: ['time', 'openInterest', 'volume'],
  ftbs: ['time', 'buyVolume', 'sellVolume'],
  basis: ['time', 'basis', 'basisRate'],
  mlr: ['time', 'ratios'],
  bsv: ['time', 'buyVolume', 'sellVolume'],
  fr: ['fundingTime', 'time', 'fundingRate'],
  aibst: ['timestamp', 'buyAccount', 'sellAccount'],
  aili: ['timestamp', 'buySize', 'sellSize'],
  aiaggtrade: ['timestamp', 'key', 'coin_type', 'trade_type'],
}

/** A pair with an indicator; null for none. */
async function pairWith(probe: Probe, key: string): Promise<string | null> {
  const query = { coinType: 'bitcoin', indicator_key: key }
  const { list } = await objectOf(probe, { path: '/indicatorKline/getTradingPair', query })
  const first = Array.isArray(list) ? list[0] : undefined
  return first === undefined ? null : pairKey(first)
}

/** Column names in any of the forms of `kline_data` (open); null when empty. */
function columnsOf(data: unknown): string[] | null {
  const rows = Array.isArray(data)
    ? data
    : isJsonObject(data) && Array.isArray(data.list)
      ? data.list
      : null
  if (rows) return isJsonObject(rows[0]) ? Object.keys(rows[0]) : null
  return isJsonObject(data) ? Object.keys(data) : null
}

/** Rows in columns or one by one (open), without their times. */
const values = (data: unknown) =>
  JSON.parse(JSON.stringify(data, (name, value) => (/time/i.test(name) ? 0 : value)))

const PERIODS: readonly Span[] = [60, 900, 3600].map((s) => [s, s * 1000])

/** Days that begin at 8 begin eight hours later than days that begin at 0. */
const dayOpens: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const begins: number[] = []
  for (const hour of [0, 8]) {
    const one = requested.with({ query: { period: '86400', size: '3' } }).withValue(parameter, hour)
    const time = timeOf(rowsIn(await one.data())[0])
    if (time === null) requested.probe.skip('the target has no days')
    begins.push(time % DAY_MS)
  }
  const [zero = 0, eight = 0] = begins
  const apart = (eight - zero + DAY_MS) % DAY_MS
  requested.probe.assert(
    apart === DAY_MS / 3,
    'days of open_time 0 and 8 begin 8 hours apart',
    begins,
  )
}

const kline: Record<string, EffectEntry> = {
  symbol: { effect: differs(twoPairs, values) },
  period: { effect: steps(PERIODS, { isDense: false }) },
  size: { counted: true },
  open_time: { effect: dayOpens, checks: ['indicator.records.openTime'] },
  since: { effect: cursor() },
}

const KEYS = ['fundflow', 'mlr', 'basis', 'fr', 'aili', 'tvolume']

/** Effects of indicator parameters, by operation and parameter. */
export const INDICATOR_EFFECTS: EffectTable = {
  'indicator.klines': kline,
  'indicator.records': { ...kline, indicator_key: { caseId: 'indicator.forms' } },
  'indicator.tradingPairs': {
    coinType: { effect: differs(['bitcoin', 'ethereum']) },
    indicator_key: { effect: differs(KEYS) },
  },
}

const INDICATOR = '/indicatorKline/dataRecords'

/** Observers of the open questions about indicators. */
export const INDICATOR_OBSERVERS: Observers = {
  'indicator-form': async (probe: Probe) => {
    const { kline_data } = await ofPair(probe, { indicator_key: 'fundflow', size: 3 })
    return Array.isArray(kline_data) ? 'records' : isJsonObject(kline_data) ? 'columns' : null
  },
  'indicator-unknown': async (probe: Probe) => {
    const query = { symbol: 'x:y', indicator_key: 'fr' }
    return refusedOr(await probe.request({ path: INDICATOR, query }), 'refuse', 'empty')
  },
  'kline-numbers': async (probe: Probe) => {
    const query = { symbol: await somePair(probe), size: 1 }
    const data = await dataIn(probe, { path: '/commonKline/dataRecords', query })
    const row =
      isJsonObject(data) && Array.isArray(data.kline_data) ? data.kline_data[0] : undefined
    const types = new Set((Array.isArray(row) ? row : []).slice(1).map((one) => typeof one))
    if (types.size !== 1) return null
    return types.has('string') ? 'text' : types.has('number') ? 'number' : null
  },
  'kline-since': async (probe: Probe) => {
    const usual = { indicator_key: 'bsv', period: 3600 }
    const all = await times(probe, { ...usual, size: 9 })
    const middle = all[4]
    if (middle === undefined) probe.skip('the target has too few intervals')
    const found = await times(probe, { ...usual, size: 3, since: middle + 60 })
    if (found.includes(all[2] as number)) return 'end'
    return found.includes(all[5] as number) ? 'begin' : null
  },
  'trading-pair-parts': async (probe: Probe) => {
    const query = { coinType: 'bitcoin', indicator_key: 'fr' }
    const { list } = await objectOf(probe, { path: '/indicatorKline/getTradingPair', query })
    const pairs = (Array.isArray(list) ? list : []).map((pair) => String(pair?.[0]))
    if (pairs.length === 0) probe.skip('the target lists no trading pair')
    return pairs.every((pair) => pair.includes(':')) ? 'name' : 'split'
  },
  'large-trade-accounts': async (probe: Probe) => {
    const values = await numbers(probe, 'aibst', 'buyAccount')
    if (values.every((value) => value === 0)) probe.skip('no large order has been filled')
    const isCount = values.every((value) => Number.isInteger(value) && value < 100_000)
    return isCount ? 'accounts' : 'value'
  },
  'aggregate-trade-type': async (probe: Probe) => {
    const { kline_data } = await ofPair(probe, { indicator_key: 'aiaggtrade', size: 100 })
    const types = [...new Set(inColumn(kline_data, 'trade_type').map(String))]
    if (types.length === 0) probe.skip('no large trade is listed')
    if (types.every((one) => one === 'buy' || one === 'sell')) return 'side'
    return types.every((one) => one === 'spot' || one === 'futures') ? 'market' : null
  },
}

/** Indicator data of a well-known pair. */
async function ofPair(probe: Probe, query: Record<string, string | number>) {
  const symbol = await somePair(probe)
  const exchange = await probe.request({ path: INDICATOR, query: { symbol, ...query } })
  const data = isSuccess(exchange) && isJsonObject(exchange.json) ? exchange.json.data : undefined
  return isJsonObject(data) ? data : {}
}

const times = async (probe: Probe, query: Record<string, string | number>) =>
  inColumn((await ofPair(probe, query)).kline_data, 'time').map(Number)

async function numbers(probe: Probe, indicator_key: string, name: string): Promise<number[]> {
  const { kline_data } = await ofPair(probe, { indicator_key, period: 86_400, size: 2 })
  return inColumn(kline_data, name).map(Number)
}

/** A column in either form of the data (open). */
function inColumn(data: unknown, name: string): unknown[] {
  if (Array.isArray(data)) return data.map((row) => (isJsonObject(row) ? row[name] : undefined))
  const column = isJsonObject(data) ? data[name] : undefined
  return Array.isArray(column) ? column : []
}

/** Requirements of the contract on indicators. */
export const INDICATOR_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'indicator.tradingPairs.required': byRequired(
      'getTradingPair needs coinType and indicator_key.',
      'indicator.tradingPairs',
    ),
    'indicator.records.openTime': 'open_time of indicator k-lines is 0 or 8.',
  }),
  ...requirementsOfSection('Endpoints: Feature and signal data', {
    'indicator.keys': 'Each indicator key has the columns listed for it.',
  }),
]
