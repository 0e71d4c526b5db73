/** Fills of addresses and orders, and the largest trades. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { oneSlice, runToEnd, type Slices } from '../../../../clock/turns.ts'
import type { FillsFacts } from '../../../../contract/facts/perpdex/fills.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  BuilderFill,
  FillInForm,
  TopTrade,
  UserFill,
} from '../../../../contract/records/fill.ts'
import type { Sz } from '../../../../decimal/quantity.ts'
import { columns, joined, type RowOf } from '../../../rows/columns.ts'
import { fillRecords, SIMPLE_FILL_SELECT } from '../../../rows/fill-rows.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  CROWD,
  fill,
  type InstrumentRow,
  pxText,
  szText,
  trade,
  usdText,
} from '../../../schema/schema.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'
import { fillsOfBuilder, fillsOfTwap } from './attributed-fills.ts'
import { latestFills } from './latest-fills.ts'
import { nativeFills, nativeFillsOfAddress, nativeFillsOfOrder } from './native-fills.ts'

export type CrowdHeld = (trade: { id: number; oid: number; timeMs: TapeMs }) => Sz

export class FillQueries implements FillsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
    /** What an account of the crowd held after a trade. */
    private readonly crowdHeld: CrowdHeld,
  ) {}

  ofAddress(address: string, query: { coin?: string | undefined; limit: number }): FillInForm[] {
    const trader = tradersOf(this.world).find(address)
    const instrument = query.coin === undefined ? null : this.world.byCoin.get(query.coin)
    if (!trader || instrument === undefined) return []
    const id = instrument?.id ?? null
    const { atMs, answers } = this.moment
    if (answers['fill-form'] === 'native')
      return nativeFillsOfAddress(this.world, trader.id, id, atMs, query.limit)
    return latestFills(this.world, trader.id, id, atMs, query.limit) as FillInForm[]
  }

  ofOrder(oid: number): FillInForm[] {
    if (!Number.isSafeInteger(oid)) return []
    if (this.moment.answers['fill-form'] === 'native')
      return nativeFillsOfOrder(this.world, oid, this.moment.atMs)
    const rows = statements(this.world).ofOrder.all(oid, this.moment.atMs)
    return rows.map(fillRecords(this.world).simple)
  }

  ofTwap(twap: number) {
    return fillsOfTwap(this.world, this.moment, twap)
  }

  ofBuilder(
    builder: string,
    query: { coin?: string | undefined; minUsd: number; limit: number },
  ): Slices<BuilderFill[]> {
    return fillsOfBuilder(this.world, this.moment, builder, query)
  }

  *topTrades(query: Parameters<FillsFacts['topTrades']>[0]): Slices<TopTrade[]> {
    const instrument = this.world.byCoin.get(query.coin)
    if (!instrument) return []
    const { atMs } = this.moment
    const { largest } = statements(this.world)
    const fromMs = later(atMs, -query.intervalMs)
    const rows = largest.all(instrument.id, fromMs, atMs, query.limit)
    const trades: TopTrade[] = []
    for (const row of rows) {
      yield
      trades.push(topTrade(this.world, instrument, row, this.crowdHeld))
    }
    return trades
  }

  native(address: string, limit: number): UserFill[] {
    return runToEnd(this.nativeBetween(address, { startTimeMs: 0, limit, reversed: true }))
  }

  nativeBetween(
    address: string,
    query: Parameters<FillsFacts['nativeBetween']>[1],
  ): Slices<UserFill[]> {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return oneSlice(() => [])
    const { startTimeMs, endTimeMs, limit, reversed = false, aggregated = false } = query
    const { atMs } = this.moment
    return nativeFills(this.world, trader.id, atMs, {
      fromMs: tapeMs(startTimeMs),
      toMs: tapeMs(endTimeMs ?? atMs),
      limit,
      newestFirst: reversed,
      aggregated,
    })
  }
}

const [t, f] = [alias(trade, 't'), alias(fill, 'f')]
const TOP = columns({
  id: t.id,
  timeMs: t.timeMs,
  side: t.side,
  px: t.px,
  sz: t.sz,
  notional: t.notional,
  takerOid: sql<number>`iif(${t.side} = 'B', ${t.buyerOid}, ${t.sellerOid})`,
  trader: joined(f.trader),
  oid: joined(f.oid),
  crossed: sql<0 | 1 | null>`${f.crossed}`,
  positionAfter: joined(f.positionAfter),
})

function topTrade(
  world: World,
  of: InstrumentRow,
  row: RowOf<typeof TOP>,
  crowdHeld: CrowdHeld,
): TopTrade {
  const { id, timeMs, side, oid, takerOid, trader, crossed, positionAfter } = row
  const isTaker = crossed !== 0
  return {
    time: timeMs,
    address: tradersOf(world).addressOf(trader ?? CROWD, takerOid),
    coin: of.coin,
    side: isTaker === (side === 'B') ? 'B' : 'A',
    oid: oid ?? takerOid,
    isTaker,
    px: pxText(of, row.px),
    sz: szText(of, row.sz),
    val: usdText(row.notional),
    endPosition: szText(of, positionAfter ?? crowdHeld({ id, oid: takerOid, timeMs })),
  }
}

const statements = perWorld(({ db }) => ({
  ofOrder: SIMPLE_FILL_SELECT.prepare<[oid: number, atMs: TapeMs]>(
    db,
    'from fill f where f.oid = ? and f.timeMs <= ? order by f.timeMs, f.id',
  ),
  // The largest trades are found first, so that only one fill of each is read: that of the taker,
  // or of the maker where the taker is nobody who can be looked up; none where neither is.
  largest: TOP.prepare<[instrument: number, afterMs: TapeMs, atMs: TapeMs, limit: number]>(
    db,
    `from (select * from trade where instrument = ? and timeMs > ? and timeMs <= ?
           order by notional desc, id limit ?) t
     left join fill f on f.id =
       (select id from fill where trade = t.id order by crossed desc limit 1)
     order by t.notional desc, t.id`,
  ),
}))
