/** Questions about depth by pair (spec, Depth snapshot). */
import type { FullDepth, GroupedDepth, LatestDepth } from '../../records/depth.ts'

export interface FuturesDepthFacts {
  /** Empty levels for a pair that is not known. `size` levels a side. */
  latestDepth(dbKey: string, size: number): LatestDepth
  /** null for a pair that is not known. */
  fullDepth(dbKey: string): FullDepth | null
  groupedDepth(dbKey: string, groupSize: number): GroupedDepth | null
}
