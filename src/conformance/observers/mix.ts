/** Features of the whole market. */

import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { objectOf, objectsOf } from '../response-reading.ts'
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
}
