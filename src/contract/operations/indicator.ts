/** Operations of the indicator group. */
import type { Operation } from '../operation.ts'
import { indicatorKlines } from './indicator/klines.ts'
import { indicatorRecords } from './indicator/records.ts'
import { indicatorTradingPairs } from './indicator/trading-pairs.ts'

export const INDICATOR = {
  tradingPairs: indicatorTradingPairs,
  records: indicatorRecords,
  klines: indicatorKlines,
} satisfies Record<string, Operation>
