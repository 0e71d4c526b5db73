/** Past funding rates, as candles. */

import type { TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { HistoryQuery, Moment } from '../../../contract/facts.ts'
import type { HistoryCandle } from '../../../contract/records/futures-history.ts'
import type { Quantity, Rate } from '../../../decimal/quantity.ts'
import {
  exchangeFundingRate,
  fundingRateText,
  weightedFundingRate,
} from '../../exchanges/exchange-open-interest.ts'
import type { Contract } from '../../exchanges/exchanges.ts'
import { firstFundingMs, fundingRateSeries } from '../../rows/funding-charges.ts'
import type { Ohlc, ValueMapping } from '../../rows/step-series.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { intervalEdges } from '../../shown-time/time-grid.ts'
import type { World } from '../../world/world.ts'

/** Rates of one pair. */
export function fundingRatesOf(
  world: World,
  moment: Moment,
  contract: Contract,
  query: HistoryQuery,
) {
  const { instrument, exchange } = contract
  const mapping: ValueMapping<Rate> = (rate, timeMs) =>
    exchange === null ? rate : exchangeFundingRate(world, instrument, exchange, rate, timeMs)
  return rateCandles(world, moment, instrument, query, mapping)
}

/** Eight-hour rates over all exchanges. */
export function weightedFundingRatesOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
) {
  const mapping: ValueMapping<Rate> = (rate, timeMs) => weightedFundingRate(world, of, rate, timeMs)
  return rateCandles(world, moment, of, query, mapping)
}

function* rateCandles(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
  mapping: ValueMapping<Rate>,
): Slices<HistoryCandle[]> {
  const firstMs = firstFundingMs(world)(of.id)
  if (firstMs === null) return []
  const edges = intervalEdges(query, moment, firstMs)
  const candles = yield* fundingRateSeries(world).candles(of, edges, mapping)
  return candlesOf(edges, candles, fundingRateText)
}

/** Formats a value. */
type ValueText<Q extends Quantity> = (value: Q) => string

/** Candles as records; those without a value yet are left out. */
export function candlesOf<Q extends Quantity>(
  edgesMs: TapeMs[],
  candles: (Ohlc<Q> | null)[],
  written: ValueText<Q>,
): HistoryCandle[] {
  return candles.flatMap((candle, at) =>
    candle === null
      ? []
      : {
          time: edgesMs[at] as number,
          open: written(candle.open),
          high: written(candle.high),
          low: written(candle.low),
          close: written(candle.close),
        },
  )
}
