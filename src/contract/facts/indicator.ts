/** Queries about k-lines and indicators of a pair (the service's documentation, Indicator keys). */
import type { Slices } from '../../clock/turns.ts'
import type { IndicatorKey, IndicatorRecord, KlineValues } from '../records/indicator.ts'

export interface PairKlineQuery {
  /** A pair such as `btcswapusdt:binance`. */
  symbol: string
  periodS: number
  size: number
  /** Hour of the day in Beijing at which days begin. */
  openHour: 0 | 8
  /** Whole seconds of tape time, as a parameter of that unit is shifted; the present without it. */
  sinceS?: number | undefined
}

export interface IndicatorQuery extends PairKlineQuery {
  key: IndicatorKey
}

/** Lists are oldest first; each is null for a pair that is not known or has no such indicator. */
export interface IndicatorFacts {
  /**
   * One record an interval. Large trades are one record each, the newest `size`, and know no
   * intervals.
   */
  records(query: IndicatorQuery): Slices<IndicatorRecord[] | null>
  /** Candles; intervals without trades are left out. */
  klines(query: PairKlineQuery): Slices<KlineValues[] | null>
  /** Pairs of a coin or of a quote currency that have an indicator: symbol and name. */
  pairs(coinType: string, key: IndicatorKey): { symbol: string; name: string }[]
}
