/** What a target does where the contract is silent. */

import { isJsonObject, isSuccess, type JsonObject, objectsOf } from '../response-reading.ts'
import { someClosedPosition, someCoins, someOpenPosition } from '../target-lookups.ts'
import { column, isIncreasing } from '../value-checks.ts'
import { among, bySuccess, dataIn, type Observers } from './observer.ts'

const OPEN_ORDERS = { path: '/hl/orders/top-open-orders', query: { limit: 100 } }

export const UNSPECIFIED_CASE_OBSERVERS: Observers = {
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
  'taker-delta-interval': bySuccess(
    async (probe) => ({ path: `/hl/accumulated-taker-delta/${(await someCoins(probe))[0]}` }),
    'hour',
    'refuse',
  ),
  'position-interval': bySuccess(
    async (probe) => {
      const { address, coin } = await someOpenPosition(probe)
      const name = encodeURIComponent(coin)
      return { path: `/hl/traders/${address}/current-position-pnl/${name}` }
    },
    '1h',
    'refuse',
  ),
  'position-absent': async (probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/completed-position-pnl/BTC`
    const { status } = await probe.request({ path, query: { startTime: 1, interval: '1h' } })
    return among(status, ['200', '400'])
  },
  'index-unknown': async (probe) => {
    const exchange = await probe.request({ path: '/index/indexPrice', query: { key: 'nothing' } })
    if (isSuccess(exchange) || !isJsonObject(exchange.json)) return null
    return among(exchange.json.errorCode, ['304', '400'])
  },
  'distance-sign': async (probe) => {
    const rows = await objectsOf(probe, OPEN_ORDERS)
    if (rows.length === 0) return null
    return column(rows, 'distPct').some((one) => one < 0) ? 'signed' : 'absolute'
  },
  'open-order-triggers': async (probe) => {
    const rows = await objectsOf(probe, OPEN_ORDERS)
    if (rows.length === 0) return null
    return rows.some(({ tif }) => tif === null) ? 'present' : 'absent'
  },
  'whale-ratio-order': async (probe) => {
    const path = '/hl/whales/history-long-ratio'
    const times = column(await objectsOf(probe, { path, query: { interval: '1d' } }), 'time')
    if (times.length < 2) return null
    return isIncreasing(times) ? 'oldest' : isIncreasing(times.toReversed()) ? 'newest' : null
  },
  'coin-margin-coins': bySuccess(
    () => ({
      path: '/futures/open-interest/aggregated-coin-margin-history',
      query: { symbol: 'ETH', interval: '15m' },
    }),
    'all',
    'btc',
  ),
  'info-types': async (probe) => {
    const body = { type: 'exchangeStatus' }
    const data = await dataIn(probe, { method: 'POST', path: '/hl/info', body })
    return isJsonObject(data) ? 'all' : 'documented'
  },
  'index-without-price': async (probe) => {
    const data = await dataIn(probe, { path: '/index/getIndex' })
    const list = isJsonObject(data) && Array.isArray(data.list) ? (data.list as JsonObject[]) : null
    if (list === null) return null
    return list.some((row) => Object.values(row).includes('-')) ? 'dash' : 'none'
  },
}
