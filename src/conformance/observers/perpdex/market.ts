import { isJsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectsOf } from '../../response-reading.ts'
import { someCoin, someCoins } from '../../target-lookups.ts'
import { column, isClose } from '../../value-checks.ts'
import { bySuccess, dataIn, type Observers } from '../observer.ts'

export const PERPDEX_MARKET_OBSERVERS: Observers = {
  'top-coins-window': async (probe: Probe) => {
    const path = '/hl/open-interest/top-coins'
    const of = (interval: string) => objectsOf(probe, { path, query: { interval, limit: 50 } })
    const [short, long] = [await of('15m'), await of('180d')]
    const both = short.flatMap((row) => {
      const other = long.find(({ coin }) => coin === row.coin)
      return other ? [[Number(row.totalPv), Number(other.totalPv)] as const] : []
    })
    if (both.length === 0) probe.skip('no coin was traded within 15 minutes')
    return both.every(([one, other]) => isClose(one, other, 0.02)) ? 'traded' : 'opened'
  },
  'open-interest-step': async (probe: Probe) => {
    const path = `/hl/open-interest/history/${await coinName(probe)}`
    const { length } = await objectsOf(probe, { path, query: { interval: '3d' } })
    return length >= 3 && length < 24 ? 'few' : length >= 24 ? 'fine' : null
  },
  'taker-delta-interval': bySuccess(
    async (probe) => ({ path: `/hl/accumulated-taker-delta/${(await someCoins(probe))[0]}` }),
    'hour',
    'refuse',
  ),
  'book-summary-unit': async (probe: Probe) => {
    if ((await someCoin(probe)) !== 'BTC') probe.skip('the target does not list BTC')
    const rows = await objectsOf(probe, { path: '/hl/orderbooks/history-summaries/BTC' })
    const volumes = column(rows, 'bidVolume').filter((one) => one > 0)
    const middle = volumes.sort((a, b) => a - b)[volumes.length >> 1]
    if (middle === undefined) probe.skip('no summary of BTC has a bid')
    // So many bitcoins rest in no book, and for so few dollars nobody keeps one.
    return middle > 100_000 ? 'usd' : 'coin'
  },
  'info-types': async (probe) => {
    const body = { type: 'exchangeStatus' }
    const data = await dataIn(probe, { method: 'POST', path: '/hl/info', body })
    return isJsonObject(data) ? 'all' : 'documented'
  },
}

const coinName = async (probe: Probe) => encodeURIComponent(await someCoin(probe))
