/** Changes of status of an account's orders, and orders by their ids (shapes 2.14 and 2.16). */

import { spelled } from '../../../contract/answering/order-status.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { HistoricalOrder, OrderStatus } from '../../../contract/records/order-history.ts'
import type { World } from '../../world.ts'
import { frontendOrder, hasEnded, ORDER_COLUMNS, type OrderValues } from '../order-rows.ts'
import { perWorld } from '../per-world.ts'

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
    ...(ended.all(trader, atMs, limit) as OrderValues[]).map((row) => endOf(world, row, moment)),
    ...(placed.all(trader, atMs, limit) as OrderValues[]).map((row) =>
      changeOf(world, row, 0, 'open', row.timeMs),
    ),
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
  const { byId, byCloid, filled } = statements(world)
  const { atMs } = moment
  const found = typeof oid === 'number' ? byId : byCloid
  const asked = typeof oid === 'number' ? oid : oid.toLowerCase()
  const row = found.get(asked, trader, atMs) as OrderValues | null
  if (!row) return { status: 'unknownOid' }
  if (hasEnded(row, atMs)) return { status: 'order', order: endOf(world, row, moment) }
  const [sum] = filled.values(row.oid, atMs)[0] as [number]
  return { status: 'order', order: changeOf(world, row, sum, 'open', row.timeMs) }
}

function endOf(world: World, row: OrderValues, { answers }: Moment): HistoricalOrder {
  const status = spelled(row.endStatus ?? 'canceled', 'native', answers)
  return changeOf(world, row, row.filledSz, status, row.endMs ?? row.timeMs)
}

function changeOf(
  world: World,
  row: OrderValues,
  filledSz: number,
  status: string,
  statusTimestamp: number,
): HistoricalOrder {
  return { order: frontendOrder(world, row, filledSz), status, statusTimestamp }
}

const statements = perWorld(({ db }) => {
  const orders = `select ${ORDER_COLUMNS} from orders o`
  return {
    placed: db.prepare(
      `${orders} where o.trader = ? and o.timeMs <= ? order by o.timeMs desc, o.oid desc limit ?`,
    ),
    ended: db.prepare(
      `${orders} where o.trader = ? and o.endMs <= ? order by o.endMs desc, o.oid desc limit ?`,
    ),
    byId: db.prepare(`${orders} where o.oid = ? and o.trader = ? and o.timeMs <= ?`),
    // The client's ids are its own: the newest order that has it counts.
    byCloid: db.prepare(
      `${orders} where o.cloid = ? and o.trader = ? and o.timeMs <= ?
       order by o.timeMs desc, o.oid desc limit 1`,
    ),
    filled: db.prepare('select coalesce(sum(sz), 0) from fill where oid = ? and timeMs <= ?'),
  }
})
