/** Last prices and public trades. */
import type { Facts, Moment } from '../../contract/facts.ts'
import type { Trade } from '../../contract/records/fill.ts'
import { type InstrumentRow, pxText, szText } from '../schema.ts'
import { hashText } from '../transaction.ts'
import type { World } from '../world.ts'
import { perWorld } from './per-world.ts'
import { tradersOf } from './traders.ts'
import { NATIVE } from './wording.ts'

type Asked = Facts['market']

export class Market implements Asked {
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
    const rows = statements(this.world).recent.values(instrument.id, this.moment.atMs, limit)
    const { write } = tradeWriter(this.world)
    return (rows as TradeValues[]).map(write)
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
export function lastPx(world: World, instrument: InstrumentRow, atMs: number): number | null {
  const row = statements(world).last.values(instrument.id, atMs)[0] as [number] | undefined
  return row ? row[0] : null
}

const statements = perWorld(({ db }) => ({
  last: db.prepare(
    `select px from trade where instrument = ? and timeMs <= ?
     order by timeMs desc, id desc limit 1`,
  ),
  recent: db.prepare(
    `select ${TRADE_COLUMNS} from trade where instrument = ? and timeMs <= ?
     order by timeMs desc, id desc limit ?`,
  ),
}))

/** What `write` takes, in this order. */
export const TRADE_COLUMNS = `instrument, timeMs, side, px, sz,
  coalesce(hash, iif(side = 'B', buyerOid, sellerOid)), tid, buyer, seller`
export type TradeValues = [
  instrument: number,
  timeMs: number,
  side: 'A' | 'B',
  px: number,
  sz: number,
  hash: string | number,
  tid: number,
  buyer: number,
  seller: number,
]

/** Writes rows of the trade table as the public stream has them. */
export const tradeWriter = perWorld((world) => {
  const traders = tradersOf(world)
  return {
    write([instrument, time, side, px, sz, hash, tid, buyer, seller]: TradeValues): Trade {
      const of = world.instruments[instrument] as InstrumentRow
      return {
        coin: of.coin,
        side,
        px: pxText(of, px, NATIVE),
        sz: szText(of, sz, NATIVE),
        time,
        hash: hashText(hash),
        tid,
        users: [traders.address(buyer), traders.address(seller)],
      }
    },
  }
})
