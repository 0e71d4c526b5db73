/** Tables that are kept in memory as a whole, and grow with their world. */
import type { Slices } from '../../../clock/turns.ts'
import { liquidationsBetween } from '../../rows/liquidation-columns.ts'
import { positionColumns } from '../../rows/position-columns.ts'
import type { World } from '../../world/world.ts'
import { longLivedOrders } from './orders/long-lived-orders.ts'
import { whaleCandidatesOf } from './whales/whale-events.ts'

/** Reads each table, one a slice; its growth is added in slices. */
export function* readGrowingTables(world: World): Slices<void> {
  liquidationsBetween(world, null, world.startMs, world.startMs)
  yield
  positionColumns(world)
  yield
  whaleCandidatesOf(world)
  yield
  longLivedOrders(world)
}
