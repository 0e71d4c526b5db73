/** Queries about crypto-related stocks (the service's documentation, Crypto stock). */
import type { Slices } from '../../clock/turns.ts'
import type { Company, Gainer, StockQuote } from '../records/stock.ts'

export interface StockFacts {
  /** In the order of the tickers, `i:<symbol>:<market>`; unknown ones are left out. */
  quotes(tickers: string[]): StockQuote[]
  /** null for an unknown ticker. */
  company(ticker: string): Slices<Company | null>
  /** Largest change first; without indexes. */
  gainers(query: { us: boolean; hk: boolean; limit: number }): Slices<Gainer[]>
}
