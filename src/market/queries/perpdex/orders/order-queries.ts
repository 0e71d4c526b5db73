/** Orders of addresses, open and ended. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { OrdersFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  FrontendOrder,
  OpenOrder,
  OrderInForm,
  OrderUpdate,
} from '../../../../contract/records/order.ts'
import { spelledStatus } from '../../../../contract/responses/order-status.ts'
import { type Sz, sz, ZERO } from '../../../../decimal/quantity.ts'
import {
  filledOf,
  frontendOrder,
  hasEnded,
  nestedOrder,
  ORDER_COLUMNS,
  openOrder,
  type StoredOrder,
  simpleOrder,
} from '../../../rows/order-rows.ts'
import { tradersOf } from '../../../rows/traders.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'
import { perWorld } from '../../../world/cache.ts'
import { isOfCrowd } from '../../../world/crowd-address.ts'
import type { World } from '../../../world/world.ts'
import { activeStats, crowdOrderBy, crowdOrdersOf, largestOpen } from './market-orders.ts'

// Changes of an account's orders at an instant (`orderUpdates`).

/** Orders of a dex placed, partly filled or ended at an instant, by id. */
function orderUpdatesAt(
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

type LatestOrdersQuery = { coin?: string | undefined; limit: number }

export class OrderQueries implements OrdersFacts {
  /** @param market the world of the books, where `world` has the rows of one account */
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
    private readonly market: World = world,
  ) {}

  latest(address: string, query: LatestOrdersQuery): OrderInForm[] {
    return this.history(address, query, ZERO).map(([row, filled]) => this.shown(row, filled))
  }

  filledLatest(address: string, query: LatestOrdersQuery): OrderInForm[] {
    return this.history(address, query, sz(1)).map(([row, filled]) => this.shown(row, filled))
  }

  byId(oid: string): OrderInForm | null {
    const row = this.find(oid)
    return row && this.shown(row, this.filled(row))
  }

  filledById(oid: string): OrderInForm | null {
    const row = this.find(oid)
    const filled: Sz = row ? this.filled(row) : ZERO
    return row && filled > ZERO ? this.shown(row, filled) : null
  }

  open(address: string, dex: string): OpenOrder[] {
    return this.openRows(address, dex).map((row) => openOrder(this.world, row, this.filled(row)))
  }

  frontendOpen(address: string, dex: string): FrontendOrder[] {
    return this.openRows(address, dex).map((row) =>
      frontendOrder(this.world, row, this.filled(row)),
    )
  }

  updates(address: string, dex: string): OrderUpdate[] {
    return orderUpdatesAt(this.world, address, dex, this.moment)
  }

  largestOpen(query: Parameters<OrdersFacts['largestOpen']>[0]) {
    return largestOpen(this.world, this.moment, query)
  }

  activeStats(query: Parameters<OrdersFacts['activeStats']>[0]) {
    return activeStats(this.world, this.moment, query)
  }

  private shown(row: StoredOrder, filled: Sz): OrderInForm {
    return this.moment.answers['order-form'] === 'flat'
      ? simpleOrder(this.world, row, filled, this.moment)
      : nestedOrder(this.world, row, filled, this.moment)
  }

  /** Newest first by the time of the last status change, with filled sizes. */
  private history(address: string, query: LatestOrdersQuery, least: Sz): [StoredOrder, Sz][] {
    const trader = tradersOf(this.world).find(address)
    const instrument = query.coin === undefined ? null : this.world.byCoin.get(query.coin)
    if (!trader || instrument === undefined) return []
    const { ended } = statements(this.world)
    const { atMs } = this.moment
    const only = instrument?.id ?? null
    const past = ended.all(trader.id, atMs, only, only, least, query.limit)
    const open = this.openOf(trader.id).filter(
      (row) => (only === null || row.instrument === only) && this.filled(row) >= least,
    )
    return [...open, ...past]
      .sort((a, b) => lastChangeMs(b, atMs) - lastChangeMs(a, atMs) || b.oid - a.oid)
      .slice(0, query.limit)
      .map((row) => [row, this.filled(row)])
  }

  private openRows(address: string, dex: string): StoredOrder[] {
    const { market, world } = this
    const trader = tradersOf(world).find(address)
    const { instruments } = market
    const crowd = isOfCrowd(address) ? crowdOrdersOf(market, address, this.moment.atMs) : []
    return [...(trader ? this.openOf(trader.id) : []), ...crowd]
      .filter((row) => (instruments[row.instrument] as InstrumentRow).dex === dex)
      .sort((a, b) => b.timeMs - a.timeMs || b.oid - a.oid)
  }

  /** Orders that are open at the moment. */
  private openOf(trader: number): StoredOrder[] {
    const { open, openForEver } = statements(this.world)
    const { atMs } = this.moment
    return [...open.all(trader, atMs, atMs), ...openForEver.all(trader, atMs)]
  }

  /** An oid is decimal digits; anything else matches no order. */
  private find(oid: string): StoredOrder | null {
    if (!/^\d+$/.test(oid)) return null
    const { atMs } = this.moment
    const row = statements(this.world).byId.get(Number(oid), atMs)
    return row ?? crowdOrderBy(this.market, Number(oid), atMs)
  }

  /** Filled size at the moment. */
  private filled(row: StoredOrder): Sz {
    const { atMs } = this.moment
    if (hasEnded(row, atMs) || row.filledSz === ZERO) return row.filledSz
    return filledOf(this.world).get(row.oid, atMs)?.sz ?? ZERO
  }
}

const lastChangeMs = (row: StoredOrder, atMs: TapeMs) =>
  hasEnded(row, atMs) && row.endMs !== null ? row.endMs : row.timeMs

type Ended = [
  trader: number,
  atMs: TapeMs,
  instrument: number | null,
  same: number | null,
  least: Sz,
  limit: number,
]

const statements = perWorld(({ db }) => ({
  byId: ORDER_COLUMNS.prepare<[oid: number, atMs: TapeMs]>(
    db,
    'from orders o where o.oid = ? and o.timeMs <= ?',
  ),
  open: ORDER_COLUMNS.prepare<[trader: number, atMs: TapeMs, same: TapeMs]>(
    db,
    'from orders o where o.trader = ? and o.endMs > ? and o.timeMs <= ?',
  ),
  openForEver: ORDER_COLUMNS.prepare<[trader: number, atMs: TapeMs]>(
    db,
    'from orders o where o.trader = ? and o.endMs is null and o.timeMs <= ?',
  ),
  ended: ORDER_COLUMNS.prepare<Ended>(
    db,
    `from orders o where o.trader = ? and o.endMs <= ? and (? is null or o.instrument = ?)
     and o.filledSz >= ? order by o.endMs desc, o.oid desc limit ?`,
  ),
}))
