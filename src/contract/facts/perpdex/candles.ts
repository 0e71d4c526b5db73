/** Queries about candles. */
import type { Slices } from '../../../clock/turns.ts'
import type { Candle, TakerCandle } from '../../records/candle.ts'

export interface CandleQuery {
  coin: string
  interval: string
  startTimeMs: number
  endTimeMs?: number | undefined
}

export interface CandlesFacts {
  /**
   * Oldest first; the first is the one that contains startTimeMs; intervals without trades are
   * left out. null for an unknown coin.
   */
  between(query: CandleQuery): Slices<Candle[] | null>
  /**
   * The candle of the interval that contains `timeMs`, as of now; null when it holds no trade.
   */
  at(coin: string, interval: string, timeMs: number): TakerCandle | null
  /** The newest candle that holds a trade. */
  last(coin: string, interval: string): TakerCandle | null
}
