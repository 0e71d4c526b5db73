/** Stocks of the world (seed/stocks.json). */
import seed from '../../../../seed/stocks.json' with { type: 'json' }

export interface StockListing {
  /** Lower case: `mstr`, `863`. */
  symbol: string
  /** `nasdaq`, `nyse`, `hkex`, `index`. */
  market: string
  region: 'US' | 'HK'
  isIndex: boolean
  name: string
  country: string
  /** Price at the start of the tape, in the currency of its region. */
  price: number
  shares: number
  dilutedShares: number
  /** Beta to bitcoin, percent. */
  beta: number
  /** Of 52 weeks, in percent of `price`. */
  yearHigh: number
  yearLow: number
  /** Daily turnover in ten-thousandths of all shares. */
  turnover: number
  description: string
  announcement: string
}

/** All stocks and the indexes of stocks. */
export const STOCK_LISTINGS = seed as readonly StockListing[]

/** `i:mstr:nasdaq` */
export const tickerOf = ({ symbol, market }: StockListing) => `i:${symbol}:${market}`

/** The stock of a ticker in any case; also of a symbol alone, `MSTR` or `0863`. */
export function stockListing(ticker: string): StockListing | undefined {
  const text = ticker.trim().toLowerCase()
  return LISTINGS_BY_NAME.get(text) ?? LISTINGS_BY_NAME.get(text.replace(/^(i:)?0+/, '$1'))
}

const LISTINGS_BY_NAME = new Map(
  STOCK_LISTINGS.flatMap((one) => [
    [tickerOf(one), one],
    [one.symbol, one],
  ]),
)
