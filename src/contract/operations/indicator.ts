/** Operations of the indicator group. */
import type { Operation } from '../operation.ts'
import { indicatorKlines } from './indicator/klines.ts'
import { indicatorRecords } from './indicator/records.ts'
import { indicatorTradingPairs } from './indicator/trading-pairs.ts'

export const INDICATOR: readonly Operation[] = [
  indicatorTradingPairs,
  indicatorRecords,
  indicatorKlines,
]
