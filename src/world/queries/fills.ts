/** Fills of addresses and orders, and the largest trades. */
import type { Facts, Moment } from '../../contract/facts.ts'
import type { Fill, TopTrade, UserFill } from '../../contract/records/fill.ts'
import { type InstrumentRow, pxText, szText, usdText } from '../schema.ts'
import type { World } from '../world.ts'
import { FILLS, type FillValues, fillWriter, SIMPLE_FILLS, type SimpleValues } from './fill-rows.ts'
import { perWorld } from './per-world.ts'
import { tradersOf } from './traders.ts'

type Asked = Facts['fills']

export class Fills implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  ofAddress(
    address: string,
    { coin, limit }: { coin?: string | undefined; limit: number },
  ): Fill[] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const { simple } = fillWriter(this.world)
    const { simple: ask } = statements(this.world)
    const { atMs } = this.moment
    const instrument = coin === undefined ? null : this.world.byCoin.get(coin)
    if (instrument === undefined) return []
    const rows =
      instrument === null
        ? ask.newest.values(trader.id, atMs, limit)
        : ask.newestOf.values(trader.id, instrument.id, atMs, limit)
    return (rows as SimpleValues[]).reverse().map(simple)
  }

  ofOrder(oid: number): Fill[] {
    if (!Number.isSafeInteger(oid)) return []
    const rows = statements(this.world).simple.ofOrder.values(oid, this.moment.atMs)
    return (rows as SimpleValues[]).map(fillWriter(this.world).simple)
  }

  topTrades(query: { coin: string; intervalMs: number; limit: number }): TopTrade[] {
    const instrument = this.world.byCoin.get(query.coin)
    if (!instrument) return []
    const { atMs } = this.moment
    const { largest } = statements(this.world)
    const rows = largest.values(instrument.id, atMs - query.intervalMs, atMs, query.limit)
    return (rows as TopValues[]).map((row) => topTrade(this.world, instrument, row))
  }

  native(address: string, limit: number): UserFill[] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const rows = statements(this.world).newest.values(trader.id, this.moment.atMs, limit)
    return (rows as FillValues[]).map(fillWriter(this.world).user)
  }

  nativeBetween(
    address: string,
    query: { startTimeMs: number; endTimeMs?: number | undefined; limit: number },
  ): UserFill[] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const { startTimeMs, endTimeMs = Number.MAX_SAFE_INTEGER, limit } = query
    const toMs = Math.min(endTimeMs, this.moment.atMs)
    const rows = statements(this.world).between.values(trader.id, startTimeMs, toMs, limit)
    return (rows as FillValues[]).map(fillWriter(this.world).user)
  }
}

type TopValues = [
  timeMs: number,
  trader: number,
  side: 'A' | 'B',
  oid: number,
  px: number,
  sz: number,
  notional: number,
  positionAfter: number,
]

function topTrade(world: World, of: InstrumentRow, row: TopValues): TopTrade {
  const [time, trader, side, oid, px, sz, notional, positionAfter] = row
  return {
    time,
    address: tradersOf(world).address(trader),
    coin: of.coin,
    side,
    oid,
    isTaker: true,
    px: pxText(of, px),
    sz: szText(of, sz),
    val: usdText(notional),
    endPosition: szText(of, positionAfter),
  }
}

const statements = perWorld(({ db }) => ({
  newest: db.prepare(
    `${FILLS} where f.trader = ? and f.timeMs <= ? order by f.timeMs desc, f.id desc limit ?`,
  ),
  between: db.prepare(
    `${FILLS} where f.trader = ? and f.timeMs between ? and ? order by f.timeMs, f.id limit ?`,
  ),
  simple: {
    newest: db.prepare(
      `${SIMPLE_FILLS} where f.trader = ? and f.timeMs <= ?
       order by f.timeMs desc, f.id desc limit ?`,
    ),
    newestOf: db.prepare(
      `${SIMPLE_FILLS} where f.trader = ? and f.instrument = ? and f.timeMs <= ?
       order by f.timeMs desc, f.id desc limit ?`,
    ),
    ofOrder: db.prepare(
      `${SIMPLE_FILLS} where f.oid = ? and f.timeMs <= ? order by f.timeMs, f.id`,
    ),
  },
  // The largest trades are found first, so that only their takers' fills are read.
  largest: db.prepare(
    `select f.timeMs, f.trader, f.side, f.oid, f.px, f.sz, f.notional, f.positionAfter
     from (select id, notional from trade where instrument = ? and timeMs > ? and timeMs <= ?
           order by notional desc, id limit ?) t
     join fill f on f.trade = t.id and f.crossed = 1 order by t.notional desc, t.id`,
  ),
}))
