import type { Deviation } from '../deviation.ts'
import { data, deviationsOf, reading, rows } from './shorthand.ts'

/** Deviations of stocks. */
export const STOCK_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('stock.quotes', {
    'the default is one quote': data(/quotes/, (list) => list.slice(0, 1)),
    'tickers are not read': reading(/quotes/, (query) => query.delete('tickers')),
  }),
  ...deviationsOf('stock.gainers.order', {
    'losers come first': data(/top-gainer/, (list) => [...list].reverse()),
  }),
  ...deviationsOf('stock.gainers.markets', {
    'hk_stock is not read': reading(/gainer/, (query) => query.delete('hk_stock')),
    'a stock of HK is in USD': rows(/gainer/, (row) => ({ ...row, currency: 'USD' })),
  }),
  ...deviationsOf('stock.gainers.no-indexes', {
    'an index is ranked': data(/gainer/, (list) => [{ ...list[0], symbol: '^GSPC' }, ...list]),
  }),
  ...deviationsOf('stock.gainers.post', {
    'POST is of another market': reading(/gainer/, (_, given) => {
      if (given) given.hk_stock = false
      if (given) given.us_stock = true
    }),
  }),
]
