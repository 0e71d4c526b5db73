/** Indexes of stocks and the stocks themselves, as the stock endpoints give them. */
import type { Moment } from '../../../contract/facts.ts'
import type { StockMarketItem } from '../../../contract/records/mix.ts'
import { format, mulDiv } from '../../../decimal/scaled.ts'
import type { World } from '../../world.ts'
import { STOCK_LISTINGS, type StockListing, tickerOf } from '../stock/stock-listings.ts'
import { PRICE_UNIT } from '../stock/stock-prices.ts'
import { StockQueries } from '../stock/stock-queries.ts'

/** `last` is the last price, `degree` the change since the day before, in percent. */
export function stockMarketOf(world: World, moment: Moment): StockMarketItem[] {
  const { answers } = moment
  const form = { 'stock-ticker-form': 'key', 'stock-quote-close': 'previous' } as const
  const stocks = new StockQueries(world, { ...moment, answers: { ...answers, ...form } })
  const tickers = [...STOCK_LISTINGS].sort((a, b) => rank(a) - rank(b)).map(tickerOf)
  return stocks.quotes(tickers).map(({ ticker, company_name, last_price, close }) => {
    const [last, before] = [last_price, close].map((price) => Math.round(price * PRICE_UNIT))
    return {
      key: ticker,
      name: company_name,
      last: format(last as number, PRICE_DECIMALS),
      degree: format(mulDiv((last as number) - (before as number), 10_000, before as number), 2, 2),
    }
  })
}

/** Prices are counted in thousandths. */
const PRICE_DECIMALS = Math.log10(PRICE_UNIT)

/** Indexes come first. */
const rank = ({ isIndex }: StockListing) => (isIndex ? 0 : 1)
