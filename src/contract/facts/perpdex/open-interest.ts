/** Queries about the open interest of the perpetual venue. */
import type { Slices } from '../../../clock/turns.ts'
import type { CoinInterest, InterestPoint, InterestSummary } from '../../records/open-interest.ts'

export interface OpenInterestFacts {
  /** All perpetuals together. */
  summary(): InterestSummary
  /** By value, largest first; what `windowMs` means is an open question (`top-coins-window`). */
  topCoins(query: { windowMs: number; limit: number }): CoinInterest[]
  /** Oldest first, the present last; empty for a coin that is no perpetual. */
  history(query: { coin: string; windowMs: number }): Slices<InterestPoint[]>
}
