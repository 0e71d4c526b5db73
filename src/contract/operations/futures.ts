/** Operations of the futures group. */
import type { Operation } from '../operation.ts'
import { fullDepth } from './futures/full-depth.ts'
import { groupedDepth } from './futures/grouped-depth.ts'
import { latestDepth } from './futures/latest-depth.ts'

export const FUTURES: readonly Operation[] = [latestDepth, fullDepth, groupedDepth]
