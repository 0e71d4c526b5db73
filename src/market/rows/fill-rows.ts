/** Rows of the fill table with what belongs to them, and the forms they are shown in. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
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
import { perWorld } from '../world/per-world.ts'
import { hashText } from '../world/transaction-hash.ts'
import type { World } from '../world/world.ts'
import { columns, joined, type RowOf } from './columns.ts'
import { tradersOf } from './traders.ts'

const [f, t] = [alias(fill, 'f'), alias(trade, 't')]
const [o, l] = [alias(orders, 'o'), alias(liquidation, 'l')]

/** What the form with the address needs; goes with FROM_TRADED_FILLS. */
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
  /** Of the trade, or the number of the order that it follows from. */
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

/** The tables of those; `where` and `order by` are added by the reader. */
export const FROM_TRADED_FILLS = 'from fill f join trade t on t.id = f.trade'

/** Everything that the forms need; goes with FROM_FILLS. */
export const FILL_SELECT = columns({
  ...TRADED_FILL_SELECT.names,
  cloid: joined(o.cloid),
  liquidated: joined(l.trader),
  /** The order that closed it, by which an account of the crowd has its address. */
  closedBy: joined(l.oid),
  markPx: joined(l.markPx),
})
export type WholeFill = RowOf<typeof FILL_SELECT>

/** The tables of those. */
export const FROM_FILLS = `${FROM_TRADED_FILLS}
  left join orders o on o.oid = f.oid left join liquidation l on l.id = f.liquidation`

/** The few columns of the simple form: no other table than `fill f` is looked at. */
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

/** Native form as the venue gives it to a user. */
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

/** What the forms with and without the address have in common. */
type NativeFill = Omit<AddressFill, 'address'>
