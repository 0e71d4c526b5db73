/** What came into the accounts of a trader less what went out, micro-dollars. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { subtract } from '../../../../decimal/quantity.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import { depositsAt } from '../../../rows/trader-history.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world.ts'

/** Over days back from now; transfers between accounts of one sort cancel out. */
export function netFlowOf(world: World, trader: number, days: number, atMs: TapeMs) {
  const history = traderHistories(world).of(trader)
  const now = depositsAt(history, atMs)
  const before = depositsAt(history, periodStart(days, atMs))
  return { perp: subtract(now.perp, before.perp), spot: subtract(now.spot, before.spot) }
}
