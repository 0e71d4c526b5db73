import { isJsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { someClosedPosition, someOpenPosition } from '../../target-lookups.ts'
import { among, byName, bySuccess, dataIn, type Observers } from '../observer.ts'
import { onlyOne, valuesWhenOmitted } from '../omitted-parameter.ts'

export const PERPDEX_POSITION_OBSERVERS: Observers = {
  'completed-by-time-form': async (probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/completed-trades/by-time`
    const data = await dataIn(probe, { method: 'POST', path, body: {} })
    return Array.isArray(data) ? 'seen' : isJsonObject(data) ? 'paged' : null
  },
  'completed-by-time-coin': async (probe: Probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/completed-trades/by-time`
    const count = async (body: object) => {
      const data = await dataIn(probe, { method: 'POST', path, body })
      return Array.isArray(data) ? data.length : isJsonObject(data) ? Number(data.total) : 0
    }
    if ((await count({})) === 0) probe.skip('the account has no completed trade by time')
    return (await count({ coin: 'NONE' })) > 0 ? 'ignored' : 'counts'
  },
  'trader-period': async (probe: Probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/addr-stat`
    return onlyOne(probe, await valuesWhenOmitted(probe, path, 'period', ['7', '0']))
  },
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
  'position-liquidation-name': byName(
    async (probe) => {
      const { address, coin } = await someOpenPosition(probe)
      const name = encodeURIComponent(coin)
      return { path: `/hl/traders/${address}/current-position-history/${name}` }
    },
    { liquidationPx: 'liquidationPx', liqPrice: 'liqPrice' },
  ),
}
