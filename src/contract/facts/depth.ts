/** Questions about depth by pair (spec, Depth snapshot). */
import type { FullDepth, GroupedDepth, LatestDepth } from '../records/depth.ts'

export interface DepthFacts {
  /** Empty levels for a pair that is not known. `size` levels a side. */
  latest(dbKey: string, size: number): LatestDepth
  /** null for a pair that is not known. */
  full(dbKey: string): FullDepth | null
  grouped(dbKey: string, groupSize: number): GroupedDepth | null
}
