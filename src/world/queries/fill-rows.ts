/** Rows of the fill table with what belongs to them, and the forms they are shown in. */
import type { AddressFill, Fill, UserFill } from '../../contract/records/fill.ts'
import { type InstrumentRow, pxText, szText, usdText } from '../schema.ts'
import { hashText } from '../transaction.ts'
import type { World } from '../world.ts'
import { perWorld } from './per-world.ts'
import { tradersOf } from './traders.ts'
import { NATIVE } from './wording.ts'

/** Of a trade `t`: its hash, or the number of the order that it follows from. */
const TRADE_HASH = "coalesce(t.hash, iif(t.side = 'B', t.buyerOid, t.sellerOid))"

/** Everything that the forms need; `where` and `order by` are added by the reader. */
export const FILLS = `select f.instrument, f.timeMs, f.trader, f.side, f.px, f.sz,
  f.startPosition, f.dir, f.closedPnl, ${TRADE_HASH}, f.oid, f.crossed, f.fee, t.tid, f.twap,
  f.builder, f.builderFee, o.cloid, l.trader as liquidated, l.markPx, f.id
  from fill f join trade t on t.id = f.trade left join orders o on o.oid = f.oid
  left join liquidation l on l.id = f.liquidation`

export type FillValues = [
  instrument: number,
  timeMs: number,
  trader: number,
  side: 'A' | 'B',
  px: number,
  sz: number,
  startPosition: number,
  dir: string,
  closedPnl: number,
  hash: string | number,
  oid: number,
  crossed: number,
  fee: number,
  tid: number,
  twap: number | null,
  builder: number | null,
  builderFee: number | null,
  cloid: string | null,
  liquidated: number | null,
  markPx: number | null,
  id: number,
]

/** The few columns of the simple form: no other table is looked at. */
export const SIMPLE_FILLS = 'select f.instrument, f.timeMs, f.side, f.px, f.sz, f.oid from fill f'

export type SimpleValues = [
  instrument: number,
  timeMs: number,
  side: 'A' | 'B',
  px: number,
  sz: number,
  oid: number,
]

/** Writes rows of a world in the forms of the contract. */
export const fillWriter = perWorld((world) => ({
  simple: (row: SimpleValues) => simple(world, row),
  user: (row: FillValues) => userFill(world, row),
  address: (row: FillValues) => addressFill(world, row),
}))

/** Simple form: decimals cut, side in words. */
function simple({ instruments }: World, [instrument, time, side, px, sz, oid]: SimpleValues) {
  const of = instruments[instrument] as InstrumentRow
  const word = side === 'B' ? 'buy' : 'sell'
  const fill: Fill = {
    coin: of.coin,
    side: word,
    price: pxText(of, px),
    size: szText(of, sz),
    time,
    oid,
  }
  return fill
}

/** Native form as the venue gives it to a user (shapes 2.8). */
function userFill(world: World, row: FillValues): UserFill {
  const fill: UserFill = native(world, row)
  const cloid = row[17]
  if (cloid !== null) fill.cloid = cloid
  const [liquidated, markPx] = [row[18], row[19]]
  if (liquidated !== null && markPx !== null) {
    const of = world.instruments[row[0]] as InstrumentRow
    fill.liquidation = {
      liquidatedUser: tradersOf(world).address(liquidated),
      markPx: pxText(of, markPx, NATIVE),
      method: 'market',
    }
  }
  return fill
}

/** Native form with the address (spec, Perpetual-DEX records). */
function addressFill(world: World, row: FillValues): AddressFill {
  return { address: tradersOf(world).address(row[2]), ...native(world, row) }
}

function native({ instruments }: World, row: FillValues) {
  const [instrument, time, , side, px, sz, start, dir, closedPnl, hash, oid, crossed, fee] = row
  const of = instruments[instrument] as InstrumentRow
  const builderFee = row[16]
  return {
    coin: of.coin,
    px: pxText(of, px, NATIVE),
    sz: szText(of, sz, NATIVE),
    side,
    time,
    startPosition: szText(of, start, NATIVE),
    dir,
    closedPnl: usdText(closedPnl, NATIVE),
    hash: hashText(hash),
    oid,
    crossed: crossed === 1,
    fee: usdText(fee, NATIVE),
    tid: row[13],
    feeToken: of.quote,
    twapId: row[14],
    ...(builderFee === null ? {} : { builderFee: usdText(builderFee, NATIVE) }),
  }
}
