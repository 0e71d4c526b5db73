/** Indexes of stocks and the stocks themselves, as the stock endpoints give them. */

import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { StockMarketItem } from '../../../contract/records/mix.ts'
import type { StockQuote } from '../../../contract/records/stock.ts'
import { format, mulDiv } from '../../../decimal/scaled.ts'
import type { World } from '../../world.ts'
import { STOCK_LISTINGS, type StockListing, tickerOf } from '../stock/stock-listings.ts'
import { PRICE_UNIT } from '../stock/stock-prices.ts'
import { StockQueries } from '../stock/stock-queries.ts'

/** `last` is the last price, `degree` the change since the day before, in percent. */
export function* stockMarketOf(world: World, moment: Moment): Slices<StockMarketItem[]> {
  const { answers } = moment
  const form = { 'stock-ticker-form': 'key', 'stock-quote-close': 'previous' } as const
  const stocks = new StockQueries(world, { ...moment, answers: { ...answers, ...form } })
  const tickers = [...STOCK_LISTINGS].sort((a, b) => rank(a) - rank(b)).map(tickerOf)
  const items: StockMarketItem[] = []
  for (const one of tickers) {
    yield
    items.push(...stocks.quotes([one]).map(stockItem))
  }
  return items
}

function stockItem(quote: StockQuote): StockMarketItem {
  const { ticker: key, company_name: name } = quote
  const last = Math.round(quote.last_price * PRICE_UNIT)
  const before = Math.round(quote.close * PRICE_UNIT)
  const degree = format(mulDiv(last - before, 10_000, before), 2, 2)
  return { key, name, last: format(last, PRICE_DECIMALS), degree }
}

/** Prices are counted in thousandths. */
const PRICE_DECIMALS = Math.log10(PRICE_UNIT)

/** Indexes come first. */
const rank = ({ isIndex }: StockListing) => (isIndex ? 0 : 1)
