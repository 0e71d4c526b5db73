/** Queries about the state of every market of the venue. */
import type { Slices } from '../../../clock/turns.ts'
import type { PerpContext, PerpDex, SpotContext } from '../../records/asset-context.ts'
import type { FundingRate, PredictedFunding } from '../../records/funding.ts'
import type { TimeRange } from './users.ts'

export interface AssetContextsFacts {
  /** In the order of the universe; null for an unknown dex. */
  perps(dex: string): Slices<PerpContext[] | null>
  /** In the order of the universe of pairs. */
  spots(): Slices<SpotContext[]>
  /** The builders' dexes. */
  dexs(): PerpDex[]
  /** Charged rates, oldest first, at most `limit`; null for a coin that is no perpetual. */
  fundingHistory(coin: string, span: TimeRange, limit: number): FundingRate[] | null
  predictedFundings(): PredictedFunding[]
}
