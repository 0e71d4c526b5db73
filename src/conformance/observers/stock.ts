import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { isSuccess, objectsOf } from '../response-reading.ts'
import { dataIn, firstOf, type Observers } from './observer.ts'

const QUOTES = { path: '/crypto_stock/quotes' }

const GAINERS = { path: '/crypto_stock/top-gainer' }

export const STOCK_OBSERVERS: Observers = {
  'stock-times': async (probe) => {
    const { timestamp } = firstOf(await dataIn(probe, { path: '/crypto_stock/quotes' }))
    const digits = String(timestamp ?? '').length
    return digits === 13 ? 'ms' : digits === 10 ? 's' : null
  },
  'stock-ticker-form': async (probe) => {
    const { ticker } = firstOf(await dataIn(probe, { path: '/crypto_stock/quotes' }))
    return typeof ticker !== 'string' ? null : ticker.includes(':') ? 'key' : 'symbol'
  },
  'stock-quote-close': async (probe: Probe) => {
    const rows = await objectsOf(probe, QUOTES)
    if (rows.length === 0) return null
    return rows.every((row) => row.close === row.last_price) ? 'present' : 'previous'
  },
  'stock-quote-day': async (probe: Probe) => {
    const [row] = await objectsOf(probe, QUOTES)
    return row === undefined ? null : 'open_today' in row ? 'present' : 'absent'
  },
  'stock-change-rate': async (probe: Probe) => {
    const query = { us_stock: true, hk_stock: true }
    const ratios = (await objectsOf(probe, { ...GAINERS, query })).flatMap((row) => {
      const [price, change, rate] = [row.price, row.change, row.change_rate].map(Number)
      return change ? [((rate as number) * ((price as number) - change)) / change] : []
    })
    if (ratios.length === 0) probe.skip('no stock has moved')
    const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1] as number
    return middle > 50 && middle < 200 ? 'percent' : middle > 0.5 && middle < 2 ? 'fraction' : null
  },
  'stock-no-market': async (probe) =>
    (await objectsOf(probe, GAINERS)).length > 0 ? 'all' : 'none',
  'stock-unknown': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/crypto_stock/company/i:nobody:nasdaq' })
    const { status, json } = exchange
    if (isSuccess(exchange)) return isJsonObject(json) && json.data === null ? 'null' : null
    return status === 500 ? '500' : status === 400 ? 'refuse' : null
  },
}
