/** What an instant changed in the orders of an account (shapes 3.1, `orderUpdates`). */
import type { TapeMs } from '../../../../clock/instant.ts'
import { spelledStatus } from '../../../../contract/responses/order-status.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { OrderUpdate } from '../../../../contract/records/order.ts'
import { ZERO } from '../../../../decimal/quantity.ts'
import { perWorld } from '../../../per-world.ts'
import { filledOf, hasEnded, ORDER_COLUMNS, openOrder } from '../../../rows/order-rows.ts'
import { tradersOf } from '../../../rows/traders.ts'
import type { InstrumentRow } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** Orders of a dex that were placed, filled in part or ended right then, in order of their ids. */
export function orderUpdatesAt(
  world: World,
  address: string,
  dex: string,
  { atMs, answers }: Moment,
): OrderUpdate[] {
  const trader = tradersOf(world).find(address)
  if (!trader) return []
  return changed(world)
    .all(trader.id, atMs)
    .filter((row) => (world.instruments[row.instrument] as InstrumentRow).dex === dex)
    .map((row) => {
      const filled = filledOf(world).get(row.oid, atMs)?.sz ?? ZERO
      const status = hasEnded(row, atMs) ? (row.endStatus ?? 'open') : 'open'
      const order = openOrder(world, row, filled)
      return { order, status: spelledStatus(status, 'native', answers), statusTimestamp: atMs }
    })
}

const changed = perWorld(({ db }) => {
  const select = `select ${ORDER_COLUMNS.list} from orders o`
  return ORDER_COLUMNS.prepare<[trader: number, atMs: TapeMs]>(
    db,
    `from orders o where o.trader = ?1 and o.timeMs = ?2
     union ${select} where o.trader = ?1 and o.endMs = ?2
     union ${select} where o.oid in (select f.oid from fill f where f.trader = ?1 and f.timeMs = ?2)
     order by 1`,
  )
})
