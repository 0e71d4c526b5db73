/** Which of several forms answers have. */
import { someHolding, someRound, someTraders } from '../finding-out.ts'
import { isRow } from '../reading.ts'
import { byName, dataIn, firstOf, type Observers } from './observer.ts'

const pnls = (names: string) => (names === 'ts,v' ? 'short' : names === 'time,pnl' ? 'long' : null)

export const FORM_OBSERVERS: Observers = {
  'order-form': byName(
    async (probe) => {
      const { address } = await someHolding(probe)
      return { path: `/hl/filled-orders/${address}/latest`, query: { limit: 1 } }
    },
    { order: 'nested', oid: 'flat' },
  ),
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
    return Array.isArray(data) ? 'list' : isRow(data) ? 'page' : null
  },
  'completed-by-time-form': async (probe) => {
    const { address } = await someRound(probe)
    const path = `/hl/traders/${address}/completed-trades/by-time`
    const data = await dataIn(probe, { method: 'POST', path, body: {} })
    return Array.isArray(data) ? 'seen' : isRow(data) ? 'paged' : null
  },
  'pnl-point-names': async (probe) => {
    const { address } = await someHolding(probe)
    const curve = await dataIn(probe, { path: `/hl/pnls/${address}`, query: { period: 7 } })
    const body = { addresses: [address], pnlList: true, period: 7 }
    const rows = await dataIn(probe, { method: 'POST', path: '/hl/traders/statistics', body })
    const [one, listed] = [firstOf(curve), firstOf(firstOf(rows).pnlList)]
    const [here, there] = [one, listed].map((point) => pnls(Object.keys(point).join(',')))
    if (here === 'long' && there === 'short') return 'documented'
    return here !== undefined && here === there ? here : null
  },
  'batch-drawdown-keys': async (probe) => {
    const { address } = await someHolding(probe)
    const body = { addresses: [address], days: 30 }
    const path = '/hl/batch-max-drawdown'
    const row = firstOf(await dataIn(probe, { method: 'POST', path, body }))
    if (!('Address' in row)) return null
    return 'address' in row ? 'both' : 'capitals'
  },
  'funding-history-code': async (probe) => {
    const query = { symbol: 'btcswapusdt:binance', interval: '1h', limit: 1 }
    const { json } = await probe.ask({ path: '/futures/funding-rate/history', query })
    if (!isRow(json)) return null
    return json.code === '0' ? 'text' : json.code === 0 ? 'integer' : null
  },
  'position-liquidation-name': byName(
    async (probe) => {
      const { address, coin } = await someHolding(probe)
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
