/** Crypto-related stocks. */
import type { Probe } from '../probe.ts'
import { isRow, isSuccess, rowsOf } from '../reading.ts'
import type { Observers } from './observer.ts'

const QUOTES = { path: '/crypto_stock/quotes' }
const GAINERS = { path: '/crypto_stock/top-gainer' }

export const STOCK_OBSERVERS: Observers = {
  'stock-quote-close': async (probe: Probe) => {
    const rows = await rowsOf(probe, QUOTES)
    if (rows.length === 0) return null
    return rows.every((row) => row.close === row.last_price) ? 'present' : 'previous'
  },
  'stock-quote-day': async (probe: Probe) => {
    const [row] = await rowsOf(probe, QUOTES)
    return row === undefined ? null : 'open_today' in row ? 'present' : 'absent'
  },
  'stock-change-rate': async (probe: Probe) => {
    const query = { us_stock: true, hk_stock: true }
    const ratios = (await rowsOf(probe, { ...GAINERS, query })).flatMap((row) => {
      const [price, change, rate] = [row.price, row.change, row.change_rate].map(Number)
      return change ? [((rate as number) * ((price as number) - change)) / change] : []
    })
    if (ratios.length === 0) probe.skip('no stock has moved')
    const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1] as number
    return middle > 50 && middle < 200 ? 'percent' : middle > 0.5 && middle < 2 ? 'fraction' : null
  },
  'stock-no-market': async (probe) => ((await rowsOf(probe, GAINERS)).length > 0 ? 'all' : 'none'),
  'stock-unknown': async (probe: Probe) => {
    const exchange = await probe.ask({ path: '/crypto_stock/company/i:nobody:nasdaq' })
    const { status, json } = exchange
    if (isSuccess(exchange)) return isRow(json) && json.data === null ? 'null' : null
    return status === 500 ? '500' : status === 400 ? 'refuse' : null
  },
}
