/** Queries about what takers do and what books hold. */
import type { Slices } from '../../../clock/turns.ts'
import type { BookSummary, TakerDelta, TakerKline } from '../../records/order-flow.ts'

export interface TakerKlineQuery {
  coin: string
  interval: string
  startTimeMs?: number | undefined
  endTimeMs?: number | undefined
  limit: number
}

export interface OrderFlowFacts {
  /** Over the last `windowMs`; zeros for a coin that is not known. */
  takerDelta(query: { coin: string; windowMs: number }): TakerDelta
  /** Oldest first; intervals without trades are left out. Empty for a coin that is not known. */
  klines(query: TakerKlineQuery): Slices<TakerKline[]>
  /** Oldest first, the present last; empty without a book. */
  bookSummaries(query: { coin: string; windowMs: number }): BookSummary[]
}
