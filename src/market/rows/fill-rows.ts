/** Rows of the fill table with joined data, and their forms. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../clock/instant.ts'
import type { AddressFill, Fill, UserFill } from '../../contract/records/fill.ts'
import { NATIVE_DECIMALS } from '../formatting/decimal-text.ts'
import {
  fill,
  type InstrumentRow,
  liquidation,
  orders,
  pxText,
  szText,
  trade,
  usdText,
} from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import { hashText } from '../world/crowd-address.ts'
import type { World } from '../world/world.ts'
import { columns, joined, type RowOf } from './columns.ts'
import { tradersOf } from './traders.ts'

// Rows of a long list, some hundreds at a time: one statement for all would block the thread.

/** End of a page, after which the next one begins. */
export interface PageEnd {
  timeMs: TapeMs
  id: number
}

/** Sorts after all rows of an instant, where the newest come first. */
export const LAST_ID = Number.MAX_SAFE_INTEGER

const PAGE_ROWS = 200

/**
 * Pages of a list ordered by time, then id, up to a total number of rows.
 *
 * @param start the first page begins after it
 * @param read at most so many rows after a position
 */
export function* inPages<Row extends PageEnd>(
  start: PageEnd,
  limit: number,
  read: (after: PageEnd, count: number) => Row[],
): Generator<Row[], void, void> {
  let after = start
  for (let left = limit; left > 0; left -= PAGE_ROWS) {
    const count = Math.min(PAGE_ROWS, left)
    const rows = read(after, count)
    if (rows.length > 0) yield rows
    if (rows.length < count) return
    after = rows.at(-1) as Row
  }
}

const [f, t] = [alias(fill, 'f'), alias(trade, 't')]
const [o, l] = [alias(orders, 'o'), alias(liquidation, 'l')]

/** Columns of the form with the address; use with FROM_TRADED_FILLS. */
export const TRADED_FILL_SELECT = columns({
  id: f.id,
  instrument: f.instrument,
  timeMs: f.timeMs,
  trader: f.trader,
  side: f.side,
  px: f.px,
  sz: f.sz,
  startPosition: f.startPosition,
  dir: f.dir,
  closedPnl: f.closedPnl,
  /** Of the trade, or the number of the order that it derives from. */
  hash: sql<
    string | number
  >`coalesce(${t.hash}, iif(${t.side} = 'B', ${t.buyerOid}, ${t.sellerOid}))`,
  oid: f.oid,
  crossed: f.crossed,
  fee: f.fee,
  tid: t.tid,
  twap: f.twap,
  builderFee: f.builderFee,
})
export type TradedFill = RowOf<typeof TRADED_FILL_SELECT>

/** Their tables; the reader adds `where` and `order by`. */
export const FROM_TRADED_FILLS = 'from fill f join trade t on t.id = f.trade'

/** All columns of the forms; use with FROM_FILLS. */
export const FILL_SELECT = columns({
  ...TRADED_FILL_SELECT.names,
  cloid: joined(o.cloid),
  liquidated: joined(l.trader),
  /** The closing order, from which a crowd account's address derives. */
  closedBy: joined(l.oid),
  markPx: joined(l.markPx),
})
export type WholeFill = RowOf<typeof FILL_SELECT>

/** Their tables. */
export const FROM_FILLS = `${FROM_TRADED_FILLS}
  left join orders o on o.oid = f.oid left join liquidation l on l.id = f.liquidation`

/** The few columns of the simple form: only `fill f` is read. */
export const SIMPLE_FILL_SELECT = columns({
  instrument: f.instrument,
  timeMs: f.timeMs,
  side: f.side,
  px: f.px,
  sz: f.sz,
  oid: f.oid,
})
export type SimpleFill = RowOf<typeof SIMPLE_FILL_SELECT>

/** Writes rows of a world in the forms of the contract. */
export const fillRecords = perWorld((world) => ({
  simple: (row: SimpleFill) => simpleFill(world, row),
  user: (row: WholeFill) => userFill(world, row),
  address: (row: TradedFill) => addressFill(world, row),
}))

/** Simple form: decimals cut, side in words. */
function simpleFill({ instruments }: World, row: SimpleFill) {
  const { instrument, timeMs: time, side, px, sz, oid } = row
  const of = instruments[instrument] as InstrumentRow
  const word = side === 'B' ? 'buy' : 'sell'
  const shown: Fill = {
    coin: of.coin,
    side: word,
    price: pxText(of, px),
    size: szText(of, sz),
    time,
    oid,
  }
  return shown
}

/** The venue's native form for a user. */
function userFill(world: World, row: WholeFill): UserFill {
  const shown: UserFill = nativeFill(world, row)
  const { cloid, liquidated, closedBy, markPx } = row
  if (cloid !== null) shown.cloid = cloid
  if (liquidated !== null && markPx !== null) {
    const of = world.instruments[row.instrument] as InstrumentRow
    shown.liquidation = {
      liquidatedUser: tradersOf(world).addressOf(liquidated, closedBy ?? 0),
      markPx: pxText(of, markPx, NATIVE_DECIMALS),
      method: 'market',
    }
  }
  return shown
}

/** Native form with the address (the service's documentation, Perpetual-DEX records). */
function addressFill(world: World, row: TradedFill): AddressFill {
  return { address: tradersOf(world).address(row.trader), ...nativeFill(world, row) }
}

function nativeFill({ instruments }: World, row: TradedFill) {
  const { side, dir, oid, crossed, tid, builderFee } = row
  const of = instruments[row.instrument] as InstrumentRow
  const shown: NativeFill = {
    coin: of.coin,
    px: pxText(of, row.px, NATIVE_DECIMALS),
    sz: szText(of, row.sz, NATIVE_DECIMALS),
    side,
    time: row.timeMs,
    startPosition: szText(of, row.startPosition, NATIVE_DECIMALS),
    dir,
    closedPnl: usdText(row.closedPnl, NATIVE_DECIMALS),
    hash: hashText(row.hash),
    oid,
    crossed,
    fee: usdText(row.fee, NATIVE_DECIMALS),
    tid,
    feeToken: of.quote,
    twapId: row.twap,
  }
  if (builderFee !== null) shown.builderFee = usdText(builderFee, NATIVE_DECIMALS)
  return shown
}

/** Fields common to the forms with and without the address. */
type NativeFill = Omit<AddressFill, 'address'>
