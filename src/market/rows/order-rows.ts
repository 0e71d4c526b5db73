/** Rows of the orders table and their forms. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import type {
  FilledOrder,
  FrontendOrder,
  NestedOrder,
  OpenOrder,
  Order,
} from '../../contract/records/order.ts'
import { spelledStatus } from '../../contract/responses/order-status.ts'
import { format, raw, type Sz, subtract, ZERO } from '../../decimal/quantity.ts'
import { NATIVE_DECIMALS } from '../formatting/decimal-text.ts'
import { fill, type InstrumentRow, orders, pxText, szText } from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import { transactionHash } from '../world/crowd-address.ts'
import type { World } from '../world/world.ts'
import { columns, type RowOf } from './columns.ts'
import { tradersOf } from './traders.ts'

const o = alias(orders, 'o')

/**
 * The columns of an order, of a table named `o`; `filledSz` and the end are valid only from endMs
 * on.
 */
export const ORDER_COLUMNS = columns({
  oid: o.oid,
  trader: o.trader,
  instrument: o.instrument,
  timeMs: o.timeMs,
  side: o.side,
  limitPx: o.limitPx,
  origSz: o.origSz,
  filledSz: o.filledSz,
  orderType: o.orderType,
  tif: o.tif,
  reduceOnly: o.reduceOnly,
  triggerPx: o.triggerPx,
  triggerCondition: o.triggerCondition,
  positionTpsl: o.positionTpsl,
  cloid: o.cloid,
  builder: o.builder,
  endMs: o.endMs,
  endStatus: o.endStatus,
  hash: o.hash,
})
export type StoredOrder = RowOf<typeof ORDER_COLUMNS>

/** Filled size of an order at an instant. */
export const filledOf = perWorld(({ db }) => {
  const filled = columns({ sz: sql<Sz>`coalesce(sum(${fill.sz}), 0)` })
  return filled.prepare<[oid: number, atMs: TapeMs]>(db, 'from fill where oid = ? and timeMs <= ?')
})

/** Whether the order has ended by then. */
export const hasEnded = ({ endMs }: StoredOrder, atMs: TapeMs) => endMs !== null && endMs <= atMs

/**
 * Simple form (the service's documentation, Perpetual-DEX records). `filledSz` is the filled size
 * at the moment.
 */
export function simpleOrder(
  world: World,
  row: StoredOrder,
  filledSz: Sz,
  { atMs, answers }: Moment,
): Order {
  const of = world.instruments[row.instrument] as InstrumentRow
  const ended = hasEnded(row, atMs)
  return {
    oid: String(row.oid),
    coin: of.coin,
    side: row.side === 'B' ? 'buy' : 'sell',
    price: pxText(of, row.limitPx),
    size: szText(of, row.origSz),
    filledSize: szText(of, filledSz),
    status: spelledStatus(ended ? (row.endStatus ?? 'open') : 'open', 'simple', answers),
    time: ended && row.endMs !== null ? row.endMs : row.timeMs,
  }
}

/** An open order in the venue's form. */
export function openOrder(world: World, row: StoredOrder, filledSz: Sz): OpenOrder {
  const of = world.instruments[row.instrument] as InstrumentRow
  const origSz = szText(of, row.origSz, NATIVE_DECIMALS)
  const order: OpenOrder = {
    coin: of.coin,
    side: row.side,
    limitPx: pxText(of, row.limitPx, NATIVE_DECIMALS),
    sz: filledSz === ZERO ? origSz : sizeLeft(of, row, filledSz),
    oid: row.oid,
    timestamp: row.timeMs,
    origSz,
  }
  if (row.cloid !== null) order.cloid = row.cloid
  if (row.reduceOnly) order.reduceOnly = true
  return order
}

/** Remaining size in the venue's forms. */
export function sizeLeft(of: InstrumentRow, { origSz }: StoredOrder, filledSz: Sz): string {
  return szText(of, subtract(origSz, filledSz), NATIVE_DECIMALS)
}

/** An open order in the venue's form with all its terms. */
export function frontendOrder(world: World, row: StoredOrder, filledSz: Sz): FrontendOrder {
  const of = world.instruments[row.instrument] as InstrumentRow
  return {
    ...openOrder(world, row, filledSz),
    triggerCondition: row.triggerCondition,
    isTrigger: row.triggerPx !== null,
    triggerPx: pxText(of, row.triggerPx ?? ZERO, NATIVE_DECIMALS),
    children: [],
    isPositionTpsl: row.positionTpsl,
    reduceOnly: row.reduceOnly,
    orderType: row.orderType,
    tif: row.tif,
    cloid: row.cloid,
  }
}

/** The nested form. */
export function nestedOrder(
  world: World,
  row: StoredOrder,
  filledSz: Sz,
  { atMs, answers }: Moment,
): NestedOrder {
  const ended = hasEnded(row, atMs)
  return {
    order: frontendOrder(world, row, filledSz),
    status: spelledStatus(ended ? (row.endStatus ?? 'open') : 'open', 'native', answers),
    statusTimestamp: ended && row.endMs !== null ? row.endMs : row.timeMs,
  }
}

/** An order at its end, as pushed (the service's documentation, Events). */
export function filledOrder(world: World, row: StoredOrder): FilledOrder {
  const of = world.instruments[row.instrument] as InstrumentRow
  const traders = tradersOf(world)
  const builder = row.builder === null ? undefined : traders.builder(row.builder)
  return {
    ts: row.endMs ?? row.timeMs,
    address: traders.address(row.trader),
    hash: row.hash ?? transactionHash(row.oid, row.endStatus === 'canceled'),
    builder: builder?.address ?? '',
    // A rate is stored at 10^-6: ten of them are a tenth of a basis point.
    builderF: format(raw(builder?.rate ?? ZERO), 1),
    status: row.endStatus ?? 'open',
    coin: of.coin,
    side: row.side,
    limitPx: pxText(of, row.limitPx, NATIVE_DECIMALS),
    sz: szText(of, subtract(row.origSz, row.filledSz), NATIVE_DECIMALS),
    oid: row.oid,
    placeTs: row.timeMs,
    trigger: row.triggerCondition,
    isTrigger: row.triggerPx !== null,
    triggerPx: pxText(of, row.triggerPx ?? ZERO, NATIVE_DECIMALS),
    children: [],
    positionTpsl: row.positionTpsl,
    reduceOnly: row.reduceOnly,
    orderType: row.orderType,
    origSz: szText(of, row.origSz, NATIVE_DECIMALS),
    tif: row.tif,
    cloid: row.cloid,
  }
}
