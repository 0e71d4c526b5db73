/** Indicators and k-lines. */

import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { isSuccess, objectOf } from '../response-reading.ts'
import { somePair } from '../target-lookups.ts'
import { dataIn, type Observers, refusedOr } from './observer.ts'

const INDICATOR = '/indicatorKline/dataRecords'

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
    if (types.length === 0) probe.skip('no large trade is told')
    if (types.every((one) => one === 'buy' || one === 'sell')) return 'side'
    return types.every((one) => one === 'spot' || one === 'futures') ? 'market' : null
  },
}

/** The data of an indicator of a well-known pair. */
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
