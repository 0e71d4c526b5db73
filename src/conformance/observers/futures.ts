/** Pairs, depth and histories of derivatives. */

import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { objectOf, objectsOf } from '../response-reading.ts'
import { somePair } from '../target-lookups.ts'
import { column, isClose } from '../value-checks.ts'
import { among, bySuccess, dataIn, firstOf, type Observers } from './observer.ts'

const FUNDING = '/futures/funding-rate/history'

const BITCOIN = 'btcswapusdt:binance'

export const FUTURES_OBSERVERS: Observers = {
  'unknown-pair': bySuccess(
    () => ({ path: '/futures/full-depth', query: { dbKey: 'x:y' } }),
    'empty',
    'refuse',
  ),
  'unknown-symbol': bySuccess(
    () => ({ path: '/futures/funding-rate/history', query: { symbol: 'x:y', interval: '1m' } }),
    'empty',
    'refuse',
  ),
  'latest-depth-size': async (probe: Probe) => {
    const query = { dbKey: await somePair(probe) }
    const { max, asks, bids } = await objectOf(probe, { path: '/futures/latest-depth', query })
    const longest = [asks, bids].map((side) => (Array.isArray(side) ? side.length : 0))
    return among(max, SIZES) ?? among(Math.max(...longest), SIZES)
  },
  'history-coverage': async (probe: Probe) => {
    const has = async (symbol: string, interval: string) => {
      const data = await dataIn(probe, { path: FUNDING, query: { symbol, interval, limit: 1 } })
      return Array.isArray(data) && data.length > 0
    }
    if (!(await has(BITCOIN, '8h'))) probe.skip(`the target has no funding rates of ${BITCOIN}`)
    const others = [await has(BITCOIN, '1h'), await has('ethswapusdt:binance', '8h')]
    if (others.every(Boolean)) return 'all'
    return others.some(Boolean) ? null : 'seen'
  },
  'history-excess': async (probe: Probe) => {
    const usual = { symbol: BITCOIN, interval: '8h' }
    const all = column(
      await objectsOf(probe, { path: FUNDING, query: { ...usual, limit: 9 } }),
      'time',
    ).sort((a, b) => a - b)
    const [start_time] = all
    if (start_time === undefined || all.length < 5) probe.skip('the history is too short')
    const query = { ...usual, limit: 2, start_time }
    const found = column(await objectsOf(probe, { path: FUNDING, query }), 'time')
    if (found.includes(start_time)) return 'oldest'
    return found.includes(all.at(-1) as number) ? 'newest' : null
  },
  'funding-history-code': async (probe) => {
    const query = { symbol: 'btcswapusdt:binance', interval: '1h', limit: 1 }
    const { json } = await probe.request({ path: '/futures/funding-rate/history', query })
    if (!isJsonObject(json)) return null
    return json.code === '0' ? 'text' : json.code === 0 ? 'integer' : null
  },
  'coin-margin-coins': bySuccess(
    () => ({
      path: '/futures/open-interest/aggregated-coin-margin-history',
      query: { symbol: 'ETH', interval: '15m' },
    }),
    'all',
    'btc',
  ),
  'quiet-liquidations': async (probe: Probe) => {
    const usual = { symbol: BITCOIN, interval: '1m', limit: 30 }
    const path = '/futures/liquidation/history'
    const rows = await objectsOf(probe, { path, query: usual })
    const minutes = column(await objectsOf(probe, { path: FUNDING, query: usual }), 'time')
    const listed = new Set(column(rows, 'time'))
    // The minute that runs may be told by one of the two only.
    const complete = minutes.sort((a, b) => a - b).slice(0, -1)
    if (complete.length < 5) probe.skip('the target has too few funding rates to compare with')
    if (rows.some(isQuiet)) return 'zero'
    return complete.every((time) => listed.has(time)) ? null : 'absent'
  },
  'estimated-liquidation-cells': async (probe: Probe) => {
    const query = { dbkey: await somePair(probe), cycle: '24h', limit: 1 }
    const path = '/futures/estimated-liquidation/history'
    const { data_map } = firstOf(await objectsOf(probe, { path, query }))
    const maps = Object.values(isJsonObject(data_map) ? data_map : {}).filter(isJsonObject)
    const cells = maps.flatMap(({ long, short }) => [long, short]).filter(Array.isArray)
    const types = new Set(cells.flat(2).map((one) => typeof one))
    if (types.size !== 1) return null
    return types.has('string') ? 'text' : types.has('number') ? 'number' : null
  },
  'futures-interest-fields': async (probe: Probe) => {
    const query = { currency: 'usd' }
    const rows = await objectsOf(probe, { path: '/futures/interest', query }, 'list')
    const listed = rows.flatMap(({ vol_coin, trend }): [unknown, unknown][] => {
      const last = Array.isArray(trend) ? (trend.at(-1) as JsonObject | undefined) : undefined
      return last === undefined ? [] : [[vol_coin, last.close]]
    })
    if (listed.length === 0) probe.skip('the target lists no open interest with a trend')
    const near = listed.filter(([volume, close]) => isClose(volume, close, 0.02)).length
    return near > listed.length / 2 ? 'interest' : 'turnover'
  },
}

const SIZES = ['20', '100', '500'] as const

const isQuiet = ({ long_liquidation_usd, short_liquidation_usd }: JsonObject): boolean =>
  Number(long_liquidation_usd) === 0 && Number(short_liquidation_usd) === 0
