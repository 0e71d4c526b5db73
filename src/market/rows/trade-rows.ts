/** Last prices, and rows of the trade table in the public stream's form. */

import { sql } from 'drizzle-orm'
import { later, type TapeMs } from '../../clock/instant.ts'
import type { Trade } from '../../contract/records/fill.ts'
import type { Px } from '../../decimal/quantity.ts'
import { NATIVE_DECIMALS } from '../formatting/decimal-text.ts'
import { type InstrumentRow, pxText, szText, trade } from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import { hashText } from '../world/crowd-address.ts'
import type { World } from '../world/world.ts'
import { columns, type RowOf } from './columns.ts'
import { tradeHoursOf } from './trade-hours.ts'
import { tradersOf } from './traders.ts'

/** Price of the newest trade with time <= atMs, in price units; null before the first. */
export function lastPx(world: World, instrument: InstrumentRow, atMs: TapeMs): Px | null {
  return tradeHoursOf(world).pxBefore(instrument.id, later(atMs, 1))
}

/** Columns of a written trade. */
export const TRADES = columns({
  instrument: trade.instrument,
  timeMs: trade.timeMs,
  side: trade.side,
  px: trade.px,
  sz: trade.sz,
  /** Or the number of the order that it derives from. */
  hash: sql<
    string | number
  >`coalesce(${trade.hash}, iif(${trade.side} = 'B', ${trade.buyerOid}, ${trade.sellerOid}))`,
  tid: trade.tid,
  buyer: trade.buyer,
  seller: trade.seller,
  buyerOid: trade.buyerOid,
  sellerOid: trade.sellerOid,
})
export type PublicTrade = RowOf<typeof TRADES>

/** Writes rows of the trade table in the public stream's form. */
export const tradeRecords = perWorld((world) => {
  const traders = tradersOf(world)
  return {
    write(row: PublicTrade): Trade {
      const of = world.instruments[row.instrument] as InstrumentRow
      return {
        coin: of.coin,
        side: row.side,
        px: pxText(of, row.px, NATIVE_DECIMALS),
        sz: szText(of, row.sz, NATIVE_DECIMALS),
        time: row.timeMs,
        hash: hashText(row.hash),
        tid: row.tid,
        users: [
          traders.addressOf(row.buyer, row.buyerOid),
          traders.addressOf(row.seller, row.sellerOid),
        ],
      }
    },
  }
})
