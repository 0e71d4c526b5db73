/** Queries about what every market shows. */
import type { Trade } from '../../records/fill.ts'

export interface MarketFacts {
  /** Last prices of all instruments in listing order. */
  tickers(): { coin: string; price: string }[]
  ticker(coin: string): { coin: string; price: string } | null
  /** Newest trades first, at most `limit`. */
  recentTrades(coin: string, limit: number): Trade[]
  isCoin(coin: string): boolean
}
