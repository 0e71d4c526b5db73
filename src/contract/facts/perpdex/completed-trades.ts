/** Queries about perpetual positions from open to flat: completed trades. */
import type {
  AddressStat,
  BatchAddressStat,
  BestTrade,
  CoinPerformance,
  CompletedTrade,
  ObservedCompletedTrade,
  TradePage,
} from '../../records/completed-trade.ts'

export interface CompletedTradesFacts {
  /** Newest first. */
  latest(address: string, query: { coin?: string | undefined; limit: number }): CompletedTrade[]
  /** Newest first by closing; a page, or the seen form, as `completed-by-time-form` says. */
  between(
    address: string,
    query: {
      coin?: string | undefined
      fromMs: number | undefined
      toMs: number | undefined
      pageNum: number
      pageSize: number
    },
  ): TradePage | ObservedCompletedTrade[]
  /** By PnL, best first. `days` 0 is all time, here and below. */
  best(address: string, days: number, limit: number): BestTrade[]
  /** By total PnL, best first. */
  byCoin(address: string, days: number, limit: number): CoinPerformance[]
  stat(address: string, days: number): AddressStat
  stats(addresses: string[], days: number): BatchAddressStat[]
}
