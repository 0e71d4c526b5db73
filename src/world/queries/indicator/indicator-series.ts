/** What each indicator is made of, interval by interval. */
import type { IndicatorKey } from '../../../contract/records/indicator.ts'
import type { Pair } from '../../exchanges/pairs.ts'
import { longShortSeries } from './long-short-series.ts'
import { marketStateSeries } from './market-state-series.ts'
import type { IndicatorSeries } from './series-context.ts'
import { tradeFlowSeries } from './trade-flow-series.ts'

/** Indicators that have one record an interval. */
export const SERIES: Record<Exclude<IndicatorKey, 'aiaggtrade'>, IndicatorSeries> = {
  ...longShortSeries,
  ...tradeFlowSeries,
  ...marketStateSeries,
}

/** Whether a pair has an indicator: spot has neither positions nor funding. */
export function hasIndicator({ market, instrument }: Pair, key: IndicatorKey): boolean {
  return SPOT_KEYS.includes(key) || (market === 'swap' && instrument.kind === 'perp')
}

const SPOT_KEYS: readonly IndicatorKey[] = ['fundflow', 'bsv', 'aibst', 'aiaggtrade']
