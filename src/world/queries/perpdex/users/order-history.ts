/** Changes of status of an account's orders, and orders by their ids (shapes 2.14 and 2.16). */
import type { TapeMs } from '../../../../clock/instant.ts'
import { spelledStatus } from '../../../../contract/responses/order-status.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { HistoricalOrder, OrderStatus } from '../../../../contract/records/order-history.ts'
import { type Sz, ZERO } from '../../../../decimal/quantity.ts'
import { perWorld } from '../../../per-world.ts'
import {
  filledOf,
  frontendOrder,
  hasEnded,
  ORDER_COLUMNS,
  type StoredOrder,
} from '../../../rows/order-rows.ts'
import type { World } from '../../../world.ts'

/**
 * Newest first, at most `limit`: each order stands in it as it was placed (`open`, with its whole
 * size) and as it ended.
 */
export function orderHistory(
  world: World,
  trader: number,
  moment: Moment,
  limit: number,
): HistoricalOrder[] {
  const { placed, ended } = statements(world)
  const { atMs } = moment
  const changes = [
    ...ended.all(trader, atMs, limit).map((row) => endedRecord(world, row, moment)),
    ...placed
      .all(trader, atMs, limit)
      .map((row) => statusRecord(world, row, ZERO, 'open', row.timeMs)),
  ]
  // The sort is stable: of one instant, the end of an order comes before its placing.
  return changes
    .sort((a, b) => b.statusTimestamp - a.statusTimestamp || b.order.oid - a.order.oid)
    .slice(0, limit)
}

/** An order of the trader as it stands. `oid` is a number, or the client's own id. */
export function orderStatus(
  world: World,
  trader: number,
  moment: Moment,
  oid: number | string,
): OrderStatus {
  const { byId, byCloid } = statements(world)
  const { atMs } = moment
  const row =
    typeof oid === 'number'
      ? byId.get(oid, trader, atMs)
      : byCloid.get(oid.toLowerCase(), trader, atMs)
  if (!row) return { status: 'unknownOid' }
  if (hasEnded(row, atMs)) return { status: 'order', order: endedRecord(world, row, moment) }
  const filledSz = filledOf(world).get(row.oid, atMs)?.sz ?? ZERO
  return { status: 'order', order: statusRecord(world, row, filledSz, 'open', row.timeMs) }
}

function endedRecord(world: World, row: StoredOrder, { answers }: Moment): HistoricalOrder {
  const status = spelledStatus(row.endStatus ?? 'canceled', 'native', answers)
  return statusRecord(world, row, row.filledSz, status, row.endMs ?? row.timeMs)
}

function statusRecord(
  world: World,
  row: StoredOrder,
  filledSz: Sz,
  status: string,
  statusTimestamp: TapeMs,
): HistoricalOrder {
  return { order: frontendOrder(world, row, filledSz), status, statusTimestamp }
}

const statements = perWorld(({ db }) => {
  type Latest = [trader: number, atMs: TapeMs, limit: number]
  const orders = 'from orders o where'
  return {
    placed: ORDER_COLUMNS.prepare<Latest>(
      db,
      `${orders} o.trader = ? and o.timeMs <= ? order by o.timeMs desc, o.oid desc limit ?`,
    ),
    ended: ORDER_COLUMNS.prepare<Latest>(
      db,
      `${orders} o.trader = ? and o.endMs <= ? order by o.endMs desc, o.oid desc limit ?`,
    ),
    byId: ORDER_COLUMNS.prepare<[oid: number, trader: number, atMs: TapeMs]>(
      db,
      `${orders} o.oid = ? and o.trader = ? and o.timeMs <= ?`,
    ),
    // The client's ids are its own: the newest order that has it counts.
    byCloid: ORDER_COLUMNS.prepare<[cloid: string, trader: number, atMs: TapeMs]>(
      db,
      `${orders} o.cloid = ? and o.trader = ? and o.timeMs <= ?
       order by o.timeMs desc, o.oid desc limit 1`,
    ),
  }
})
