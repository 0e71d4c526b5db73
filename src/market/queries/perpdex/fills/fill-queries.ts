/** Fills of addresses and orders, and the largest trades. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { oneSlice, runToEnd, type Slices } from '../../../../clock/turns.ts'
import type { FillsFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  AddressFill,
  BuilderFill,
  Fill,
  FillInForm,
  SliceFill,
  TopTrade,
  UserFill,
} from '../../../../contract/records/fill.ts'
import { type Sz, type Usd, usd } from '../../../../decimal/quantity.ts'
import { columns, joined, type RowOf } from '../../../rows/columns.ts'
import {
  FROM_TRADED_FILLS,
  fillRecords,
  inPages,
  LAST_ID,
  SIMPLE_FILL_SELECT,
  type SimpleFill,
  TRADED_FILL_SELECT,
} from '../../../rows/fill-rows.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  builder,
  CROWD,
  fill,
  type InstrumentRow,
  MONEY_DECIMALS,
  pxText,
  szText,
  trade,
  usdText,
} from '../../../schema/schema.ts'
import { Cache, perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { nativeFills, nativeFillsOfAddress, nativeFillsOfOrder } from './native-fills.ts'

// Fills of a TWAP, and fills of a builder.

/** Oldest first, in the form of the question `twap-fill-form`. */
function fillsOfTwap(
  world: World,
  { atMs, answers }: Moment,
  twap: number,
): SliceFill[] | Fill[] | AddressFill[] {
  if (!Number.isSafeInteger(twap)) return []
  const { slices, wholeSlices } = fillSlices(world)
  const { simple, address } = fillRecords(world)
  if (answers['twap-fill-form'] === 'native') return wholeSlices.all(twap, atMs).map(address)
  const rows = slices.all(twap, atMs)
  if (answers['twap-fill-form'] === 'simple') return rows.map(simple)
  return rows.map((row) => sliceFill(world, row, twap))
}

function sliceFill({ instruments }: World, row: SimpleFill, twapId: number): SliceFill {
  const { instrument, timeMs: time, side, px, sz } = row
  const of = instruments[instrument] as InstrumentRow
  return { coin: of.coin, side, px: pxText(of, px), sz: szText(of, sz), time, twapId }
}

/** Newest first; of a value of at least `minUsd`. */
function* fillsOfBuilder(
  world: World,
  { atMs, answers }: Moment,
  builder: string,
  query: { coin?: string | undefined; minUsd: number; limit: number },
): Slices<BuilderFill[]> {
  const { brought, builders } = fillSlices(world)
  const id = builders.get(builder.toLowerCase())
  const instrument = query.coin === undefined ? null : world.byCoin.get(query.coin)
  if (id === undefined || instrument === undefined) return []
  const only = instrument?.id ?? null
  const least = usd(query.minUsd * 10 ** MONEY_DECIMALS)
  const { address } = fillRecords(world)
  const isWhole = answers['builder-fill-ids'] === 'present'
  const fills: BuilderFill[] = []
  const start = { timeMs: atMs, id: LAST_ID }
  const pages = inPages(start, query.limit, (after, count) =>
    brought.all(id, after.timeMs, after.id, only, least, count),
  )
  for (const rows of pages) {
    for (const row of rows) {
      const { builderFee = '0.0', tid, twapId, ...fill } = address(row)
      fills.push(isWhole ? { ...fill, tid, twapId, builderFee } : { ...fill, builderFee })
    }
    yield
  }
  return fills
}

const BUILDER = columns({ address: sql<string>`lower(${builder.address})`, id: builder.id })

const fillSlices = perWorld(({ db }) => {
  const builders = BUILDER.prepare<[]>(db, 'from builder').all()
  const slices = 'where f.twap = ? and f.timeMs <= ? order by f.timeMs, f.id'
  return {
    builders: new Map(builders.map(({ address, id }) => [address, id])),
    slices: SIMPLE_FILL_SELECT.prepare<[twap: number, atMs: TapeMs]>(db, `from fill f ${slices}`),
    wholeSlices: TRADED_FILL_SELECT.prepare<[twap: number, atMs: TapeMs]>(
      db,
      `${FROM_TRADED_FILLS} ${slices}`,
    ),
    brought: TRADED_FILL_SELECT.prepare<
      [
        builder: number,
        afterMs: TapeMs,
        afterId: number,
        instrument: number | null,
        least: Usd,
        limit: number,
      ]
    >(
      db,
      `${FROM_TRADED_FILLS} where f.builder = ?1 and f.timeMs <= ?2
       and (f.timeMs < ?2 or f.id < ?3) and (?4 is null or f.instrument = ?4) and f.notional >= ?5
       order by f.timeMs desc, f.id desc limit ?6`,
    ),
  }
})

// Latest fills of a trader, in the simple form. Pages are cached until a new fill arrives, as
// clients repeat the same request.

/** Cached fills, over all pages. */
const CACHE_LIMIT = 100_000

/** Oldest first, frozen; of one instrument, or of all for null. */
function latestFills(
  world: World,
  trader: number,
  instrument: number | null,
  atMs: TapeMs,
  limit: number,
): readonly Fill[] {
  const pages = pagesOf(world)
  const key = `${trader}/${instrument ?? ''}/${limit}`
  const known = pages.find(key)
  if (known && known.fromMs <= atMs && atMs < known.untilMs) return known.fills
  const { newest, newestOf, nextMs, nextMsOf } = newestFills(world)
  const [last, next] =
    instrument === null
      ? [newest.get(trader, atMs), nextMs.get(trader, atMs)]
      : [newestOf.get(trader, instrument, atMs), nextMsOf.get(trader, instrument, atMs)]
  if (!last) return []
  const { id, timeMs: fromMs } = last
  // Rows are complete up to the end of the world.
  const untilMs = tapeMs(Math.min(next?.timeMs ?? Number.POSITIVE_INFINITY, world.endMs + 1))
  const fills =
    known?.newest === id
      ? known.fills
      : Object.freeze(readFills(world, trader, instrument, atMs, limit))
  pages.put(key, { newest: id, fromMs, untilMs, fills })
  return fills
}

interface FillPage {
  /** fill.id of the last one. */
  newest: number
  /** The instants at which it is the last one: fromMs <= atMs < untilMs. */
  fromMs: TapeMs
  untilMs: TapeMs
  fills: readonly Fill[]
}

const pagesOf = perWorld(
  () => new Cache<string, FillPage>(CACHE_LIMIT, ({ fills }) => fills.length),
)

function readFills(
  world: World,
  trader: number,
  instrument: number | null,
  atMs: TapeMs,
  limit: number,
): Fill[] {
  const { page, pageOf } = newestFills(world)
  const rows =
    instrument === null
      ? page.all(trader, atMs, limit)
      : pageOf.all(trader, instrument, atMs, limit)
  return rows.reverse().map(fillRecords(world).simple)
}

const NEWEST = columns({ id: alias(fill, 'f').id, timeMs: alias(fill, 'f').timeMs })
const TIME = columns({ timeMs: alias(fill, 'f').timeMs })
type Of = [trader: number, atMs: TapeMs]
type OfCoin = [trader: number, instrument: number, atMs: TapeMs]

const newestFills = perWorld(({ db }) => {
  const of = 'f.trader = ? and f.instrument = ? and f.timeMs <= ?'
  const any = 'f.trader = ? and f.timeMs <= ?'
  const newestFirst = 'order by f.timeMs desc, f.id desc'
  return {
    newest: NEWEST.prepare<Of>(db, `from fill f where ${any} ${newestFirst} limit 1`),
    newestOf: NEWEST.prepare<OfCoin>(db, `from fill f where ${of} ${newestFirst} limit 1`),
    nextMs: TIME.prepare<Of>(
      db,
      'from fill f where f.trader = ? and f.timeMs > ? order by f.timeMs limit 1',
    ),
    nextMsOf: TIME.prepare<OfCoin>(
      db,
      `from fill f where f.trader = ? and f.instrument = ? and f.timeMs > ?
       order by f.timeMs limit 1`,
    ),
    page: SIMPLE_FILL_SELECT.prepare<[...Of, limit: number]>(
      db,
      `from fill f where ${any} ${newestFirst} limit ?`,
    ),
    pageOf: SIMPLE_FILL_SELECT.prepare<[...OfCoin, limit: number]>(
      db,
      `from fill f where ${of} ${newestFirst} limit ?`,
    ),
  }
})

export type CrowdHeld = (trade: { id: number; oid: number; timeMs: TapeMs }) => Sz

export class FillQueries implements FillsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
    /** Position of a crowd account after a trade. */
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
  // The largest trades are found first, so that only one fill of each is read: the taker's, or the
  // maker's where the taker is no listed trader; none where neither is.
  largest: TOP.prepare<[instrument: number, afterMs: TapeMs, atMs: TapeMs, limit: number]>(
    db,
    `from (select * from trade where instrument = ? and timeMs > ? and timeMs <= ?
           order by notional desc, id limit ?) t
     left join fill f on f.id =
       (select id from fill where trade = t.id order by crossed desc limit 1)
     order by t.notional desc, t.id`,
  ),
}))
