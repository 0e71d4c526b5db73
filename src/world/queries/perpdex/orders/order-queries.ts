/** Orders of addresses, open and ended. */
import type { TapeMs } from '../../../../clock/instant.ts'
import type { OrdersFacts } from '../../../../contract/facts/perpdex/orders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  FrontendOrder,
  OpenOrder,
  OrderInForm,
  OrderUpdate,
} from '../../../../contract/records/order.ts'
import { type Sz, sz, ZERO } from '../../../../decimal/quantity.ts'
import { perWorld } from '../../../per-world.ts'
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
import type { InstrumentRow } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { activeStats, largestOpen } from './open-order-stats.ts'
import { orderUpdatesAt } from './order-updates.ts'

type LatestOrdersQuery = { coin?: string | undefined; limit: number }

export class OrderQueries implements OrdersFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
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

  /** Newest first by the time of the last change of status, with what is filled of each. */
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
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const { instruments } = this.world
    return this.openOf(trader.id)
      .filter((row) => (instruments[row.instrument] as InstrumentRow).dex === dex)
      .sort((a, b) => b.timeMs - a.timeMs || b.oid - a.oid)
  }

  /** Orders that are open at the moment. */
  private openOf(trader: number): StoredOrder[] {
    const { open, openForEver } = statements(this.world)
    const { atMs } = this.moment
    return [...open.all(trader, atMs, atMs), ...openForEver.all(trader, atMs)]
  }

  /** An oid is decimal digits; anything else names no order. */
  private find(oid: string): StoredOrder | null {
    if (!/^\d{1,15}$/.test(oid)) return null
    return statements(this.world).byId.get(Number(oid), this.moment.atMs)
  }

  /** Size filled by the moment. */
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
