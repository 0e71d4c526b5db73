/** Status changes of an account's orders, and orders by id. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { FrontendOrder } from '../../../../contract/records/order.ts'
import type { HistoricalOrder, OrderStatus } from '../../../../contract/records/order-history.ts'
import { spelledStatus } from '../../../../contract/responses/order-status.ts'
import { type Sz, ZERO } from '../../../../decimal/quantity.ts'
import { columns, present } from '../../../rows/columns.ts'
import {
  filledOf,
  frontendOrder,
  hasEnded,
  ORDER_COLUMNS,
  type StoredOrder,
  sizeLeft,
} from '../../../rows/order-rows.ts'
import { type InstrumentRow, orders } from '../../../schema/schema.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

/**
 * Newest first, at most `limit`: each order appears as placed (`open`, with its whole size) and as
 * ended.
 */
export function orderHistory(
  world: World,
  trader: number,
  moment: Moment,
  limit: number,
): HistoricalOrder[] {
  const { atMs } = moment
  const { changes, ended, byId } = statements(world)
  const latest = changes.all(trader, atMs, trader, atMs, limit)
  const ends = latest.reduce((sum, { isEnd }) => sum + isEnd, 0)
  // Most orders appear twice, as placed and as ended, and are read once.
  const rows = new Map<number, StoredOrder>()
  for (const row of ended.all(trader, atMs, ends)) rows.set(row.oid, row)
  const placed = new Map<number, FrontendOrder>()
  const records: HistoricalOrder[] = []
  for (const { oid, timeMs, isEnd } of latest) {
    const row = (rows.get(oid) ?? byId.get(oid, trader, atMs)) as StoredOrder
    const order = placed.get(oid) ?? frontendOrder(world, row, ZERO)
    placed.set(oid, order)
    records.push(
      isEnd
        ? endedRecord(world, row, order, moment)
        : { order, status: 'open', statusTimestamp: timeMs },
    )
  }
  return records
}

/** An order of the trader with its present status. `oid` is a number, or the client order id. */
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
  if (hasEnded(row, atMs)) {
    const placed = frontendOrder(world, row, ZERO)
    return { status: 'order', order: endedRecord(world, row, placed, moment) }
  }
  const filledSz: Sz = filledOf(world).get(row.oid, atMs)?.sz ?? ZERO
  const order = frontendOrder(world, row, filledSz)
  return { status: 'order', order: { order, status: 'open', statusTimestamp: row.timeMs } }
}

/** An order at its end, from its placement. */
function endedRecord(
  world: World,
  row: StoredOrder,
  placed: FrontendOrder,
  { answers }: Moment,
): HistoricalOrder {
  const of = world.instruments[row.instrument] as InstrumentRow
  const isWhole = row.filledSz === ZERO
  return {
    order: isWhole ? placed : { ...placed, sz: sizeLeft(of, row, row.filledSz) },
    status: spelledStatus(row.endStatus ?? 'canceled', 'native', answers),
    statusTimestamp: row.endMs ?? row.timeMs,
  }
}

const o = alias(orders, 'o')
const ENDS = columns({ oid: o.oid, timeMs: present(o.endMs), isEnd: sql<0 | 1>`1` })
const PLACINGS = columns({ oid: o.oid, timeMs: o.timeMs, isEnd: sql<0 | 1>`0` })

const statements = perWorld(({ db }) => {
  type Until = [trader: number, atMs: TapeMs]
  const orders = 'from orders o where'
  return {
    // At one instant, the end of an order comes before its placement.
    changes: ENDS.prepare<[...Until, ...Until, limit: number]>(
      db,
      `${orders} o.trader = ? and o.endMs <= ?
       union all select ${PLACINGS.list} ${orders} o.trader = ? and o.timeMs <= ?
       order by timeMs desc, oid desc, isEnd desc limit ?`,
    ),
    ended: ORDER_COLUMNS.prepare<[...Until, limit: number]>(
      db,
      `${orders} o.trader = ? and o.endMs <= ? order by o.endMs desc, o.oid desc limit ?`,
    ),
    byId: ORDER_COLUMNS.prepare<[oid: number, trader: number, atMs: TapeMs]>(
      db,
      `${orders} o.oid = ? and o.trader = ? and o.timeMs <= ?`,
    ),
    // Client order ids are chosen by clients: the newest order with one wins.
    byCloid: ORDER_COLUMNS.prepare<[cloid: string, trader: number, atMs: TapeMs]>(
      db,
      `${orders} o.cloid = ? and o.trader = ? and o.timeMs <= ?
       order by o.timeMs desc, o.oid desc limit 1`,
    ),
  }
})
