/** What an instant changed in the orders of an account (shapes 3.1, `orderUpdates`). */

import { spelled } from '../../contract/answering/order-status.ts'
import type { Moment } from '../../contract/facts.ts'
import type { OrderUpdate } from '../../contract/records/order.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { hasEnded, ORDER_COLUMNS, type OrderValues, openOrder } from './order-rows.ts'
import { perWorld } from './per-world.ts'
import { tradersOf } from './traders.ts'

/** Orders of a dex that were placed, filled in part or ended right then, in order of their ids. */
export function orderUpdatesAt(
  world: World,
  address: string,
  dex: string,
  { atMs, answers }: Moment,
): OrderUpdate[] {
  const trader = tradersOf(world).find(address)
  if (!trader) return []
  const { changed, filled } = statements(world)
  const rows = changed.all(trader.id, atMs) as OrderValues[]
  return rows
    .filter((row) => (world.instruments[row.instrument] as InstrumentRow).dex === dex)
    .map((row) => {
      const [sum] = filled.values(row.oid, atMs)[0] as [number]
      const status = hasEnded(row, atMs) ? (row.endStatus ?? 'open') : 'open'
      const order = openOrder(world, row, sum)
      return { order, status: spelled(status, 'native', answers), statusTimestamp: atMs }
    })
}

const statements = perWorld(({ db }) => ({
  changed: db.prepare(
    `select ${ORDER_COLUMNS} from orders o where o.trader = ?1 and o.timeMs = ?2
     union select ${ORDER_COLUMNS} from orders o where o.trader = ?1 and o.endMs = ?2
     union select ${ORDER_COLUMNS} from orders o where o.oid in
       (select f.oid from fill f where f.trader = ?1 and f.timeMs = ?2)
     order by 1`,
  ),
  filled: db.prepare('select coalesce(sum(sz), 0) from fill where oid = ? and timeMs <= ?'),
}))
