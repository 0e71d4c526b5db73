/** Orders of addresses, open and ended. */
import type { Facts, Moment } from '../../contract/facts.ts'
import type {
  FrontendOrder,
  OpenOrder,
  OrderUpdate,
  ShownOrder,
} from '../../contract/records/order.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import {
  frontendOrder,
  hasEnded,
  nestedOrder,
  ORDER_COLUMNS,
  type OrderValues,
  openOrder,
  simpleOrder,
} from './order-rows.ts'
import { orderUpdatesAt } from './order-updates.ts'
import { perWorld } from './per-world.ts'
import { activeStats, largestOpen } from './standing-orders/board.ts'
import { tradersOf } from './traders.ts'

type Asked = Facts['orders']
type Query = { coin?: string | undefined; limit: number }

export class Orders implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  latest(address: string, query: Query): ShownOrder[] {
    return this.history(address, query, 0).map(([row, filled]) => this.shown(row, filled))
  }

  filledLatest(address: string, query: Query): ShownOrder[] {
    return this.history(address, query, 1).map(([row, filled]) => this.shown(row, filled))
  }

  byId(oid: string): ShownOrder | null {
    const row = this.find(oid)
    return row && this.shown(row, this.filled(row))
  }

  filledById(oid: string): ShownOrder | null {
    const row = this.find(oid)
    const filled = row ? this.filled(row) : 0
    return row && filled > 0 ? this.shown(row, filled) : null
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

  largestOpen(query: Parameters<Asked['largestOpen']>[0]) {
    return largestOpen(this.world, this.moment, query)
  }

  activeStats(query: Parameters<Asked['activeStats']>[0]) {
    return activeStats(this.world, this.moment, query)
  }

  private shown(row: OrderValues, filled: number): ShownOrder {
    return this.moment.answers['order-form'] === 'flat'
      ? simpleOrder(this.world, row, filled, this.moment)
      : nestedOrder(this.world, row, filled, this.moment)
  }

  /** Newest first by the time of the last change of status, with what is filled of each. */
  private history(address: string, query: Query, least: number): [OrderValues, number][] {
    const trader = tradersOf(this.world).find(address)
    const instrument = query.coin === undefined ? null : this.world.byCoin.get(query.coin)
    if (!trader || instrument === undefined) return []
    const { ended } = statements(this.world)
    const { atMs } = this.moment
    const only = instrument?.id ?? null
    const past = ended.all(trader.id, atMs, only, only, least, query.limit) as OrderValues[]
    const open = this.openOf(trader.id).filter(
      (row) => (only === null || row.instrument === only) && this.filled(row) >= least,
    )
    return [...open, ...past]
      .sort((a, b) => changeMs(b, atMs) - changeMs(a, atMs) || b.oid - a.oid)
      .slice(0, query.limit)
      .map((row) => [row, this.filled(row)])
  }

  private openRows(address: string, dex: string): OrderValues[] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const { instruments } = this.world
    return this.openOf(trader.id)
      .filter((row) => (instruments[row.instrument] as InstrumentRow).dex === dex)
      .sort((a, b) => b.timeMs - a.timeMs || b.oid - a.oid)
  }

  /** Orders that stand open at the moment. */
  private openOf(trader: number): OrderValues[] {
    const { open, openForEver } = statements(this.world)
    const { atMs } = this.moment
    return [
      ...(open.all(trader, atMs, atMs) as OrderValues[]),
      ...(openForEver.all(trader, atMs) as OrderValues[]),
    ]
  }

  /** An oid is decimal digits; anything else names no order. */
  private find(oid: string): OrderValues | null {
    if (!/^\d{1,15}$/.test(oid)) return null
    return statements(this.world).byId.get(Number(oid), this.moment.atMs) as OrderValues | null
  }

  /** Size filled by the moment. */
  private filled(row: OrderValues): number {
    const { atMs } = this.moment
    if (hasEnded(row, atMs) || row.filledSz === 0) return row.filledSz
    const [sum] = statements(this.world).filled.values(row.oid, atMs)[0] as [number]
    return sum
  }
}

const changeMs = (row: OrderValues, atMs: number) =>
  hasEnded(row, atMs) && row.endMs !== null ? row.endMs : row.timeMs

const statements = perWorld(({ db }) => {
  const orders = `select ${ORDER_COLUMNS} from orders o`
  return {
    byId: db.prepare(`${orders} where o.oid = ? and o.timeMs <= ?`),
    open: db.prepare(`${orders} where o.trader = ? and o.endMs > ? and o.timeMs <= ?`),
    openForEver: db.prepare(`${orders} where o.trader = ? and o.endMs is null and o.timeMs <= ?`),
    ended: db.prepare(
      `${orders} where o.trader = ? and o.endMs <= ? and (? is null or o.instrument = ?)
       and o.filledSz >= ? order by o.endMs desc, o.oid desc limit ?`,
    ),
    filled: db.prepare('select coalesce(sum(sz), 0) from fill where oid = ? and timeMs <= ?'),
  }
})
