/** Which of several forms answers have. */
import type { AnswerTo } from '../../contract/questions.ts'
import type { Probe } from '../probe.ts'
import { isJsonObject } from '../response-reading.ts'
import { someClosedPosition, someOpenPosition, someTraders } from '../target-lookups.ts'
import { byName, dataIn, firstOf, type Observers } from './observer.ts'

const pnls = (names: string) => (names === 'ts,v' ? 'short' : names === 'time,pnl' ? 'long' : null)

/** How it is spelled in some orders that they were cancelled. */
const wordsIn = (data: unknown): string[] =>
  (Array.isArray(data) ? data : [])
    .map((one) => (isJsonObject(one) ? String(one.status) : ''))
    .filter((status) => /^cancell?ed$/.test(status))

/** The simple form, then those of the venue; once where they agree. */
const SPELLINGS: Record<string, AnswerTo<'order-status-spelling'>> = {
  'cancelled,canceled': 'by-form',
  cancelled: 'cancelled',
  canceled: 'canceled',
}

export const RECORD_FORM_OBSERVERS: Observers = {
  'order-form': byName(
    async (probe) => {
      const { address } = await someOpenPosition(probe)
      return { path: `/hl/filled-orders/${address}/latest`, query: { limit: 1 } }
    },
    { order: 'nested', oid: 'flat' },
  ),
  'order-status-spelling': async (probe: Probe) => {
    for (const address of await someTraders(probe)) {
      const path = `/hl/orders/${address}/latest`
      const words = wordsIn(await dataIn(probe, { path, query: { limit: 2_000 } }))
      const body = { type: 'historicalOrders', user: address }
      const native = wordsIn(await dataIn(probe, { method: 'POST', path: '/hl/info', body }))
      if (words.length === 0 || native.length === 0) continue
      return SPELLINGS[[...new Set([words[0], native[0]])].join()] ?? null
    }
    probe.skip('nobody has cancelled an order')
  },
  'fill-form': byName(
    async (probe) => ({
      path: `/hl/fills/${(await someTraders(probe))[0]}`,
      query: { limit: 1 },
    }),
    { px: 'native', price: 'simple' },
  ),
  'coin-ticker-variant': byName(() => ({ path: '/coin/ticker', query: { coin_list: 'bitcoin' } }), {
    degree_7day_usd: 'current',
    usdt_funding_rate: 'older',
  }),
  'smart-find-form': async (probe) => {
    const asked = { method: 'POST', path: '/hl/smart/find', body: { period: 7 } } as const
    const data = await dataIn(probe, asked)
    return Array.isArray(data) ? 'list' : isJsonObject(data) ? 'page' : null
  },
  'completed-by-time-form': async (probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/completed-trades/by-time`
    const data = await dataIn(probe, { method: 'POST', path, body: {} })
    return Array.isArray(data) ? 'seen' : isJsonObject(data) ? 'paged' : null
  },
  'pnl-point-names': async (probe) => {
    const { address } = await someOpenPosition(probe)
    const curve = await dataIn(probe, { path: `/hl/pnls/${address}`, query: { period: 7 } })
    const body = { addresses: [address], pnlList: true, period: 7 }
    const rows = await dataIn(probe, { method: 'POST', path: '/hl/traders/statistics', body })
    const [one, listed] = [firstOf(curve), firstOf(firstOf(rows).pnlList)]
    const [here, there] = [one, listed].map((point) => pnls(Object.keys(point).join(',')))
    if (here === 'long' && there === 'short') return 'documented'
    return here !== undefined && here === there ? here : null
  },
  'batch-drawdown-keys': async (probe) => {
    const { address } = await someOpenPosition(probe)
    const body = { addresses: [address], days: 30 }
    const path = '/hl/batch-max-drawdown'
    const row = firstOf(await dataIn(probe, { method: 'POST', path, body }))
    if (!('Address' in row)) return null
    return 'address' in row ? 'both' : 'capitals'
  },
  'funding-history-code': async (probe) => {
    const query = { symbol: 'btcswapusdt:binance', interval: '1h', limit: 1 }
    const { json } = await probe.request({ path: '/futures/funding-rate/history', query })
    if (!isJsonObject(json)) return null
    return json.code === '0' ? 'text' : json.code === 0 ? 'integer' : null
  },
  'position-liquidation-name': byName(
    async (probe) => {
      const { address, coin } = await someOpenPosition(probe)
      const name = encodeURIComponent(coin)
      return { path: `/hl/traders/${address}/current-position-history/${name}` }
    },
    { liquidationPx: 'liquidationPx', liqPrice: 'liqPrice' },
  ),
  'stock-times': async (probe) => {
    const { timestamp } = firstOf(await dataIn(probe, { path: '/crypto_stock/quotes' }))
    const digits = String(timestamp ?? '').length
    return digits === 13 ? 'ms' : digits === 10 ? 's' : null
  },
  'stock-ticker-form': async (probe) => {
    const { ticker } = firstOf(await dataIn(probe, { path: '/crypto_stock/quotes' }))
    return typeof ticker !== 'string' ? null : ticker.includes(':') ? 'key' : 'symbol'
  },
}
