/** What came into the accounts of a trader less what went out, micro-dollars. */

import type { TapeMs } from '../../../clock/instant.ts'
import { subtract } from '../../../decimal/quantity.ts'
import type { World } from '../../world.ts'
import { periodStart } from '../rounds/closed.ts'
import { cameIn } from './points.ts'

/** Over days back from now; transfers between accounts of one sort cancel out. */
export function netFlowOf(world: World, trader: number, days: number, atMs: TapeMs) {
  const now = cameIn(world, trader, atMs)
  const before = cameIn(world, trader, periodStart(days, atMs))
  return { perp: subtract(now.perp, before.perp), spot: subtract(now.spot, before.spot) }
}
