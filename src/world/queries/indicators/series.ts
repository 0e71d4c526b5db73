/** What each indicator is made of, interval by interval. */
import type { IndicatorKey } from '../../../contract/records/indicator.ts'
import type { Pair } from '../pairs.ts'
import type { Series } from './context.ts'
import { crowdSeries } from './crowd-series.ts'
import { flowSeries } from './flow-series.ts'
import { levelSeries } from './level-series.ts'

/** Indicators that have one record an interval. */
export const SERIES: Record<Exclude<IndicatorKey, 'aiaggtrade'>, Series> = {
  ...crowdSeries,
  ...flowSeries,
  ...levelSeries,
}

/** Whether a pair has an indicator: spot has neither positions nor funding. */
export function hasIndicator({ market, instrument }: Pair, key: IndicatorKey): boolean {
  return SPOT.includes(key) || (market === 'swap' && instrument.kind === 'perp')
}

const SPOT: readonly IndicatorKey[] = ['fundflow', 'bsv', 'aibst', 'aiaggtrade']
