/** Every declaration in futures/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { coinMarginInterestHistory } from './futures/coin-margin-interest-history.ts'
import { estimatedLiquidationHistory } from './futures/estimated-liquidation-history.ts'
import { fullDepth } from './futures/full-depth.ts'
import { fundingRateHistory } from './futures/funding-rate-history.ts'
import { groupedDepth } from './futures/grouped-depth.ts'
import { futuresInterest } from './futures/interest.ts'
import { latestDepth } from './futures/latest-depth.ts'
import { liquidationHistory } from './futures/liquidation-history.ts'
import { stablecoinInterestHistory } from './futures/stablecoin-interest-history.ts'
import { weightedFundingRateHistory } from './futures/weighted-funding-rate-history.ts'

export const FUTURES = {
  coinMarginInterestHistory,
  estimatedLiquidationHistory,
  fullDepth,
  fundingRateHistory,
  groupedDepth,
  interest: futuresInterest,
  latestDepth,
  liquidationHistory,
  stablecoinInterestHistory,
  weightedFundingRateHistory,
} satisfies Record<string, Operation>
