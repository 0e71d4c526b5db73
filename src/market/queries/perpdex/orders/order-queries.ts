/** Orders of addresses, open and ended. */

import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { OrdersFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  ActiveOrderStats,
  FrontendOrder,
  OpenOrder,
  OrderInForm,
  OrderUpdate,
  TopOpenOrder,
} from '../../../../contract/records/order.ts'
import { spelledStatus } from '../../../../contract/responses/order-status.ts'
import {
  compare,
  format,
  mulDiv,
  type Px,
  pow10,
  raw,
  type Sz,
  subtract,
  sz,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { notionalOf } from '../../../accounting/position.ts'
import { bigintText, fractionText } from '../../../formatting/decimal-text.ts'
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
import { lastPx } from '../../../rows/trade-rows.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  type InstrumentRow,
  LONG_LIVED_MS,
  MONEY_DECIMALS,
  pxText,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { longLivedOrders, PLACED, type Placed } from './long-lived-orders.ts'

/** The largest open orders of the market, and statistics of all. */
// Open orders of all accounts at an instant. Long-lived ones are kept in memory; of the others only
// recent ones can still be open.

/** An open order as visible in the market. */
interface MarketOpenOrder {
  oid: number
  instrument: InstrumentRow
  side: 'A' | 'B'
  isTrigger: boolean
  /** Remaining size. */
  sz: Sz
  /** limitPx x sz. */
  value: Usd
}

/** Unordered; of one instrument, or of all for null. */
function* openOrdersAt(
  world: World,
  atMs: TapeMs,
  instrument: InstrumentRow | null,
): Slices<MarketOpenOrder[]> {
  const lasting = longLivedOrders(world).at(atMs)
  yield
  const lately = recent(world).all(later(atMs, -LONG_LIVED_MS), atMs, atMs, LONG_LIVED_MS)
  // An order without an end so far may also be found as a short-lived one.
  const known = new Set(lasting.map(({ oid }) => oid))
  const all = [...lasting, ...lately.filter(({ oid }) => !known.has(oid))]
  const found: MarketOpenOrder[] = []
  yield
  for (const row of all) {
    if (instrument !== null && row.instrument !== instrument.id) continue
    found.push(marketOrder(world, row, atMs))
    if (found.length % ORDERS_A_SLICE === 0) yield
  }
  return found
}

/** Most need no look-up; some need their filled size. */
const ORDERS_A_SLICE = 200

function marketOrder(world: World, row: Placed, atMs: TapeMs): MarketOpenOrder {
  const { oid, side, limitPx, origSz, filledSz, triggerPx } = row
  const of = world.instruments[row.instrument] as InstrumentRow
  const done: Sz = filledSz === ZERO ? ZERO : (filledOf(world).get(oid, atMs)?.sz ?? ZERO)
  const sz = subtract(origSz, done)
  const value = notionalOf(limitPx, sz, of)
  return { oid, instrument: of, side, isTrigger: triggerPx !== null, sz, value }
}

const recent = perWorld(({ db }) =>
  PLACED.prepare<[afterMs: TapeMs, toMs: TapeMs, atMs: TapeMs, longMs: number]>(
    db,
    'from orders where timeMs > ? and timeMs <= ? and endMs > ? and endMs - timeMs <= ?',
  ),
)

/** By value, largest first. */
function* largestOpen(
  world: World,
  moment: Moment,
  { coin, minUsd, limit }: Parameters<OrdersFacts['largestOpen']>[0],
): Slices<TopOpenOrder[]> {
  const least = microsFromText(minUsd)
  const counted = yield* countedOrders(world, moment, coin)
  return counted
    .filter(({ value }) => BigInt(raw(value)) >= least)
    .sort((a, b) => compare(b.value, a.value) || a.oid - b.oid)
    .slice(0, limit)
    .map((order) => openOrderRecord(world, moment, order))
}

/** Counts and values by side; whales separately. */
function* activeStats(
  world: World,
  moment: Moment,
  { coin, whaleUsd }: Parameters<OrdersFacts['activeStats']>[0],
): Slices<ActiveOrderStats> {
  const least = microsFromText(whaleUsd)
  const orders = yield* countedOrders(world, moment, coin)
  const all = sideSums(orders)
  const whales = sideSums(orders.filter(({ value }) => BigInt(raw(value)) >= least))
  return {
    totalCount: orders.length,
    bidCount: all.B.count,
    askCount: all.A.count,
    bidValue: usd(all.B.value),
    askValue: usd(all.A.value),
    bidValueRatio: fractionText(all.B.value, all.A.value + all.B.value),
    whaleBidCount: whales.B.count,
    whaleAskCount: whales.A.count,
    whaleBidValue: usd(whales.B.value),
    whaleAskValue: usd(whales.A.value),
    whaleBidValueRatio: fractionText(whales.B.value, whales.A.value + whales.B.value),
  }
}

/** Open orders that count by the question `open-order-triggers`. */
function* countedOrders(
  world: World,
  { atMs, answers }: Moment,
  coin: string | undefined,
): Slices<MarketOpenOrder[]> {
  const instrument = coin === undefined ? null : world.byCoin.get(coin)
  if (instrument === undefined) return []
  const open = yield* openOrdersAt(world, atMs, instrument)
  const isAll = answers['open-order-triggers'] === 'present'
  return isAll ? open : open.filter(({ isTrigger }) => !isTrigger)
}

function sideSums(orders: readonly MarketOpenOrder[]) {
  const sides = { A: { count: 0, value: 0n }, B: { count: 0, value: 0n } }
  for (const { side, value } of orders) {
    sides[side].count++
    sides[side].value += BigInt(raw(value))
  }
  return sides
}

const usd = (micros: bigint) => bigintText(micros, MONEY_DECIMALS)

function openOrderRecord(world: World, moment: Moment, order: MarketOpenOrder): TopOpenOrder {
  const { instrument: of, oid, sz, value } = order
  const row = orderById(world).get(oid) as StoredOrder
  return {
    time: row.timeMs,
    address: tradersOf(world).address(row.trader),
    oid,
    coin: of.coin,
    side: row.side,
    sz: szText(of, sz),
    origSz: szText(of, row.origSz),
    limitPx: pxText(of, row.limitPx),
    val: usdText(value),
    reduceOnly: row.reduceOnly,
    tif: row.tif,
    distPct: distanceText(row.limitPx, lastPx(world, of, moment.atMs), moment),
  }
}

/** Decimals of a distance in percent. */
const DISTANCE_DECIMALS = 4

function distanceText(px: Px, last: Px | null, { answers }: Moment): string | null {
  if (last === null || last === ZERO) return null
  const percent = mulDiv(raw(subtract(px, last)), pow10(2 + DISTANCE_DECIMALS), raw(last))
  const isSigned = answers['distance-sign'] === 'signed'
  return format(isSigned ? percent : Math.abs(percent), DISTANCE_DECIMALS)
}

/** Decimal dollars, however large, in micro-dollars; further digits are cut. */
function microsFromText(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, MONEY_DECIMALS).padEnd(MONEY_DECIMALS, '0'))
}

const orderById = perWorld(({ db }) =>
  ORDER_COLUMNS.prepare<[oid: number]>(db, 'from orders o where o.oid = ?'),
)

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

  /** An oid is decimal digits; anything else matches no order. */
  private find(oid: string): StoredOrder | null {
    if (!/^\d+$/.test(oid)) return null
    return statements(this.world).byId.get(Number(oid), this.moment.atMs)
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
