/** Past funding rates, as candles. */

import type { Slices } from '../../../clock/turns.ts'
import type { HistoryQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { HistoryCandle } from '../../../contract/records/futures-history.ts'
import type { Rate } from '../../../decimal/quantity.ts'
import type { Contract } from '../../exchanges/contracts.ts'
import {
  exchangeFundingRate,
  fundingRateText,
  weightedFundingRate,
} from '../../exchanges/exchange-funding-rates.ts'
import { firstFundingMs, fundingRateSeries } from '../../rows/funding-rates.ts'
import type { ValueMapping } from '../../rows/step-series.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { intervalEdges } from '../../shown-time/interval-edges.ts'
import type { World } from '../../world/world.ts'
import { candlesOf } from './history-candles.ts'

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

/** Rates of eight hours over all exchanges. */
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
