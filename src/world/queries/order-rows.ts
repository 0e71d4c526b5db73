/** Rows of the orders table and the forms they are shown in. */

import { spelled } from '../../contract/answering/order-status.ts'
import type { Moment } from '../../contract/facts.ts'
import type {
  FilledOrder,
  FrontendOrder,
  NestedOrder,
  OpenOrder,
  Order,
} from '../../contract/records/order.ts'
import { format } from '../../decimal/scaled.ts'
import { type InstrumentRow, pxText, szText } from '../schema.ts'
import { transactionOf } from '../transaction.ts'
import type { World } from '../world.ts'
import { tradersOf } from './traders.ts'
import { NATIVE } from './wording.ts'

/** Columns of an order as they are read everywhere, of a table named `o`. */
export const ORDER_COLUMNS = `o.oid, o.trader, o.instrument, o.timeMs, o.side, o.limitPx, o.origSz,
  o.filledSz, o.orderType, o.tif, o.reduceOnly, o.triggerPx, o.triggerCondition, o.positionTpsl,
  o.cloid, o.builder, o.endMs, o.endStatus, o.hash`

/** An order as stored; `filledSz` and the end are only true from endMs on. */
export interface OrderValues {
  oid: number
  trader: number
  instrument: number
  timeMs: number
  side: 'A' | 'B'
  limitPx: number
  origSz: number
  filledSz: number
  orderType: string
  tif: string | null
  reduceOnly: number
  triggerPx: number | null
  triggerCondition: string
  positionTpsl: number
  cloid: string | null
  builder: number | null
  endMs: number | null
  endStatus: 'filled' | 'canceled' | null
  hash: string | null
}

/** Whether the order has come to its end by then. */
export const hasEnded = ({ endMs }: OrderValues, atMs: number) => endMs !== null && endMs <= atMs

/** Simple form (spec, Perpetual-DEX records). `filledSz` is what is filled by the moment. */
export function simpleOrder(
  world: World,
  row: OrderValues,
  filledSz: number,
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
    status: spelled(ended ? (row.endStatus ?? 'open') : 'open', 'simple', answers),
    time: ended && row.endMs !== null ? row.endMs : row.timeMs,
  }
}

/** Open order of the venue (shapes 2.5). */
export function openOrder(world: World, row: OrderValues, filledSz: number): OpenOrder {
  const of = world.instruments[row.instrument] as InstrumentRow
  const order: OpenOrder = {
    coin: of.coin,
    side: row.side,
    limitPx: pxText(of, row.limitPx, NATIVE),
    sz: szText(of, row.origSz - filledSz, NATIVE),
    oid: row.oid,
    timestamp: row.timeMs,
    origSz: szText(of, row.origSz, NATIVE),
  }
  if (row.cloid !== null) order.cloid = row.cloid
  if (row.reduceOnly === 1) order.reduceOnly = true
  return order
}

/** Open order of the venue with all its terms (shapes 2.6). */
export function frontendOrder(world: World, row: OrderValues, filledSz: number): FrontendOrder {
  const of = world.instruments[row.instrument] as InstrumentRow
  return {
    ...openOrder(world, row, filledSz),
    triggerCondition: row.triggerCondition,
    isTrigger: row.triggerPx !== null,
    triggerPx: pxText(of, row.triggerPx ?? 0, NATIVE),
    children: [],
    isPositionTpsl: row.positionTpsl === 1,
    reduceOnly: row.reduceOnly === 1,
    orderType: row.orderType,
    tif: row.tif,
    cloid: row.cloid,
  }
}

/** The nested form (shapes 1.33). */
export function nestedOrder(
  world: World,
  row: OrderValues,
  filledSz: number,
  { atMs, answers }: Moment,
): NestedOrder {
  const ended = hasEnded(row, atMs)
  return {
    order: frontendOrder(world, row, filledSz),
    status: spelled(ended ? (row.endStatus ?? 'open') : 'open', 'native', answers),
    statusTimestamp: ended && row.endMs !== null ? row.endMs : row.timeMs,
  }
}

/** An order at its end, as it is pushed (spec, Events). */
export function filledOrder(world: World, row: OrderValues): FilledOrder {
  const of = world.instruments[row.instrument] as InstrumentRow
  const traders = tradersOf(world)
  const builder = row.builder === null ? undefined : traders.builder(row.builder)
  return {
    ts: row.endMs ?? row.timeMs,
    address: traders.address(row.trader),
    hash: row.hash ?? transactionOf(row.oid, row.endStatus === 'canceled'),
    builder: builder?.address ?? '',
    // A rate is stored at 10^-6: ten of them are a tenth of a basis point.
    builderF: format(builder?.rate ?? 0, 1),
    status: row.endStatus ?? 'open',
    coin: of.coin,
    side: row.side,
    limitPx: pxText(of, row.limitPx, NATIVE),
    sz: szText(of, row.origSz - row.filledSz, NATIVE),
    oid: row.oid,
    placeTs: row.timeMs,
    trigger: row.triggerCondition,
    isTrigger: row.triggerPx !== null,
    triggerPx: pxText(of, row.triggerPx ?? 0, NATIVE),
    children: [],
    positionTpsl: row.positionTpsl === 1,
    reduceOnly: row.reduceOnly === 1,
    orderType: row.orderType,
    origSz: szText(of, row.origSz, NATIVE),
    tif: row.tif,
    cloid: row.cloid,
  }
}
