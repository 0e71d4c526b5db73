/** What came into the accounts of a trader less what went out, micro-dollars. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { subtract } from '../../../../decimal/quantity.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world.ts'
import { netDepositsAt } from './equity-points.ts'

/** Over days back from now; transfers between accounts of one sort cancel out. */
export function netFlowOf(world: World, trader: number, days: number, atMs: TapeMs) {
  const now = netDepositsAt(world, trader, atMs)
  const before = netDepositsAt(world, trader, periodStart(days, atMs))
  return { perp: subtract(now.perp, before.perp), spot: subtract(now.spot, before.spot) }
}
