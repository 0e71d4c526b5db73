/** Last prices and public trades. */

import { sql } from 'drizzle-orm'
import type { TapeMs } from '../../../../clock/instant.ts'
import type { Facts, Moment } from '../../../../contract/facts.ts'
import type { Trade } from '../../../../contract/records/fill.ts'
import type { Px } from '../../../../decimal/quantity.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { perWorld } from '../../../per-world.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { type InstrumentRow, pxText, szText, trade } from '../../../schema.ts'
import { hashText } from '../../../transaction-hash.ts'
import type { World } from '../../../world.ts'

type Facet = Facts['market']

export class MarketQueries implements Facet {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  tickers(): { coin: string; price: string }[] {
    return this.world.instruments.flatMap((instrument) => this.last(instrument) ?? [])
  }

  ticker(coin: string): { coin: string; price: string } | null {
    const instrument = this.world.byCoin.get(coin)
    return instrument ? this.last(instrument) : null
  }

  recentTrades(coin: string, limit: number): Trade[] {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return []
    const rows = statements(this.world).recent.all(instrument.id, this.moment.atMs, limit)
    return rows.map(tradeRecords(this.world).write)
  }

  isCoin(coin: string): boolean {
    return this.world.byCoin.has(coin)
  }

  private last(instrument: InstrumentRow): { coin: string; price: string } | null {
    const px = lastPx(this.world, instrument, this.moment.atMs)
    return px === null ? null : { coin: instrument.coin, price: pxText(instrument, px) }
  }
}

/** Price of the newest trade with time <= atMs, in price units; null before the first. */
export function lastPx(world: World, instrument: InstrumentRow, atMs: TapeMs): Px | null {
  return statements(world).last.get(instrument.id, atMs)?.px ?? null
}

/** What is written of a trade. */
export const TRADES = columns({
  instrument: trade.instrument,
  timeMs: trade.timeMs,
  side: trade.side,
  px: trade.px,
  sz: trade.sz,
  /** Or the number of the order that it follows from. */
  hash: sql<
    string | number
  >`coalesce(${trade.hash}, iif(${trade.side} = 'B', ${trade.buyerOid}, ${trade.sellerOid}))`,
  tid: trade.tid,
  buyer: trade.buyer,
  seller: trade.seller,
})
export type PublicTrade = RowOf<typeof TRADES>

const statements = perWorld(({ db }) => ({
  last: columns({ px: trade.px }).prepare<[instrument: number, atMs: TapeMs]>(
    db,
    `from trade where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1`,
  ),
  recent: TRADES.prepare<[instrument: number, atMs: TapeMs, limit: number]>(
    db,
    `from trade where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit ?`,
  ),
}))

/** Writes rows of the trade table as the public stream has them. */
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
        users: [traders.address(row.buyer), traders.address(row.seller)],
      }
    },
  }
})
