/** Features of the whole market, and signals. */

import type { Probe } from '../probe.ts'
import { isJsonObject, isSuccess, objectOf, objectsOf } from '../response-reading.ts'
import { column } from '../value-checks.ts'
import type { Observers } from './observer.ts'

export const MIX_OBSERVERS: Observers = {
  'fundco-scale-unit': async (probe: Probe) => {
    const query = { coins: 'btc' }
    const { detail } = await objectOf(probe, { path: '/mix/fundco-scale', query })
    const bitcoin = isJsonObject(detail) && isJsonObject(detail.btc) ? Number(detail.btc.total) : 0
    if (!(bitcoin > 0)) probe.skip('the target tells no total of bitcoin trusts')
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
  'alert-failure': async (probe: Probe) => {
    const query = { id: UNUSED }
    const exchange = await probe.request({ path: '/signal/delSignalAlert', query })
    if (!isJsonObject(exchange.json)) return null
    const { data, success } = exchange.json
    if (isSuccess(exchange)) return isJsonObject(data) && data.result === 'false' ? 'result' : null
    return exchange.status === 200 && success === false ? 'error' : null
  },
  'strategy-signal-order': async (probe: Probe) => {
    for (const signal_key of ['order_buy_one', 'depth_win_one', 'td_buy_one', 'lsur_one']) {
      const query = { coin_type: 'bitcoin', signal_key }
      const { list } = await objectOf(probe, { path: '/signal/strategySignal', query })
      const rows = (Array.isArray(list) ? list : []).filter(Array.isArray)
      const times = column(
        rows.map(([, time]) => ({ time })),
        'time',
      )
      const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
      if (first !== last) return first < last ? 'oldest' : 'newest'
    }
    probe.skip('the target has too few strategy signals')
  },
}

/** An alert that nobody has set. */
const UNUSED = 2_147_483_647
