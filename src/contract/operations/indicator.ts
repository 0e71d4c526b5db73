/** Every declaration in indicator/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { indicatorKlines } from './indicator/klines.ts'
import { indicatorRecords } from './indicator/records.ts'
import { indicatorTradingPairs } from './indicator/trading-pairs.ts'

export const INDICATOR = {
  klines: indicatorKlines,
  records: indicatorRecords,
  tradingPairs: indicatorTradingPairs,
} satisfies Record<string, Operation>
