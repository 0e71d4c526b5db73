/** Positions of all accounts in a perpetual at some instants. */

import { sql } from 'drizzle-orm'
import { DAY_MS, HOUR_MS, later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import {
  absolute,
  add,
  negate,
  portion,
  raw,
  type Sz,
  sz,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { CROWD, type InstrumentRow, trade } from '../schema/schema.ts'
import { Cache, perMarket, perWorld, SpanCache } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import { holdingOf, traderHistories } from './trader-histories.ts'
import { tradersOf } from './traders.ts'

// Counterparties of trades, an hour of an instrument at a time in memory, and large orders.

/** Trades kept in memory, about 40 bytes each. */
const SPANS_TRADES_MAX = 1_000_000

/** Trades of one span, ascending by time. Sizes in size units. */
interface TradeSpan {
  startMs: TapeMs
  endMs: TapeMs
  timesMs: Float64Array
  buyers: Int32Array
  sellers: Int32Array
  sizes: Float64Array
  /** Rising by time. */
  large: readonly LargeOrder[]
}

/** The trades of one order at one instant. */
export interface LargeOrder {
  timeMs: TapeMs
  side: 'A' | 'B'
  /** trader.id of the taker. */
  taker: number
  sz: Sz
  notional: Usd
}

/** Minimum on the venue from which an order may be large on the largest exchange. */
const LARGE_MIN = usd(25_000 * 1e6)

const TRADES = columns({
  timeMs: trade.timeMs,
  side: trade.side,
  sz: trade.sz,
  notional: trade.notional,
  buyer: trade.buyer,
  seller: trade.seller,
  /** The taker's order. */
  oid: sql<number>`case ${trade.side} when 'B' then ${trade.buyerOid} else ${trade.sellerOid} end`,
})
type SpanTradeValues = RowOf<typeof TRADES>

export const tradeSpansOf = perMarket((world) => new TradeSpans(world))

class TradeSpans {
  private readonly spans: SpanCache<string, TradeSpan>
  private readonly between: Reader<
    SpanTradeValues,
    [instrument: number, startMs: TapeMs, endMs: TapeMs]
  >

  constructor(private readonly world: World) {
    this.spans = new SpanCache(world, SPANS_TRADES_MAX, ({ timesMs }) => timesMs.length)
    this.between = TRADES.prepare(
      world.db,
      'from trade where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id',
    )
  }

  /** The span that contains an instant. */
  at(instrument: number, timeMs: TapeMs): TradeSpan {
    const dayMs = tapeMs(Math.floor(timeMs / DAY_MS) * DAY_MS)
    const isPast = dayMs + DAY_MS <= this.world.startMs
    const startMs = isPast ? dayMs : tapeMs(Math.floor(timeMs / HOUR_MS) * HOUR_MS)
    const key = `${instrument}/${startMs}`
    const endMs = later(startMs, isPast ? DAY_MS : HOUR_MS)
    return this.spans.get(key, endMs, () => this.read(instrument, startMs, endMs))
  }

  private read(instrument: number, startMs: TapeMs, endMs: TapeMs): TradeSpan {
    const rows = this.between.all(instrument, startMs, endMs)
    return {
      startMs,
      endMs,
      timesMs: Float64Array.from(rows, ({ timeMs }) => timeMs),
      buyers: Int32Array.from(rows, ({ buyer }) => buyer),
      sellers: Int32Array.from(rows, ({ seller }) => seller),
      sizes: Float64Array.from(rows, ({ sz }) => raw(sz)),
      large: largeOrdersIn(rows),
    }
  }
}

/** The trades of one taker order at one instant are adjacent. */
function largeOrdersIn(rows: readonly SpanTradeValues[]): LargeOrder[] {
  const orders: LargeOrder[] = []
  let last = null as { oid: number; order: LargeOrder } | null
  for (const { timeMs, side, sz, notional, buyer, seller, oid } of rows) {
    if (last?.oid === oid && last.order.timeMs === timeMs) {
      last.order.sz = add(last.order.sz, sz)
      last.order.notional = add(last.order.notional, notional)
      continue
    }
    if (last && last.order.notional >= LARGE_MIN) orders.push(last.order)
    const taker = side === 'B' ? buyer : seller
    last = { oid, order: { timeMs, side, taker, sz, notional } }
  }
  if (last && last.order.notional >= LARGE_MIN) orders.push(last.order)
  return orders
}

/** Counts of accounts, and sums of their positions. */
export interface LongShortPositions {
  longs: SidePositions
  shorts: SidePositions
  /** Of the largest fifth of the positions. */
  topLongs: SidePositions
  topShorts: SidePositions
}

export interface SidePositions {
  accounts: number
  sz: Sz
  /** Size beyond their margin: size x (1 - 1 / leverage). */
  borrowed: Sz
}

/**
 * Positions at each instant: after all trades before it, an instant a slice. The instants ascend.
 */
export function* longShortSlices(
  world: World,
  of: InstrumentRow,
  instantsMs: readonly TapeMs[],
): Slices<LongShortPositions[]> {
  const firstMs = instantsMs[0]
  if (firstMs === undefined) return []
  const spans = tradeSpansOf(world)
  let span = spans.at(of.id, later(firstMs, -1))
  const held = new Map(yield* positionsBefore(world)(of, span.startMs))
  let at = 0
  const counted: LongShortPositions[] = []
  for (const instantMs of instantsMs) {
    yield
    for (;;) {
      const { timesMs, buyers, sellers, sizes, endMs } = span
      for (; at < timesMs.length && (timesMs[at] as number) < instantMs; at++) {
        const traded = sz(sizes[at] as number)
        applyTrade(held, buyers[at] as number, traded)
        applyTrade(held, sellers[at] as number, negate(traded))
      }
      if (instantMs <= endMs) break
      span = spans.at(of.id, endMs)
      at = 0
    }
    counted.push(longShortOf(world, of, held))
  }
  return counted
}

/** Positions by trader.id; flat ones are left out. */
type PositionsByTrader = ReadonlyMap<number, Sz>

function applyTrade(held: Map<number, Sz>, trader: number, by: Sz): void {
  if (trader === CROWD) return
  const after = add(held.get(trader) ?? ZERO, by)
  if (after === ZERO) held.delete(trader)
  else held.set(trader, after)
}

function longShortOf(world: World, of: InstrumentRow, held: PositionsByTrader): LongShortPositions {
  const leverage = leveragesOf(world)
  const sizes = Float64Array.from(held.values(), (one) => raw(absolute(one))).sort()
  const top = sz(sizes[sizes.length - Math.ceil(sizes.length / 5)] ?? 0)
  const sides = {
    longs: emptySide(),
    shorts: emptySide(),
    topLongs: emptySide(),
    topShorts: emptySide(),
  }
  for (const [trader, position] of held) {
    const size = absolute(position)
    const borrowed = borrowedSize(size, leverage(of, trader))
    count(position > ZERO ? sides.longs : sides.shorts, size, borrowed)
    if (size >= top) count(position > ZERO ? sides.topLongs : sides.topShorts, size, borrowed)
  }
  return sides
}

const emptySide = (): SidePositions => ({ accounts: 0, sz: ZERO, borrowed: ZERO })

const borrowedSize = (size: Sz, leverage: number) => portion(size, leverage - 1, leverage)

function count(to: SidePositions, size: Sz, borrowed: Sz): void {
  to.accounts++
  to.sz = add(to.sz, size)
  to.borrowed = add(to.borrowed, borrowed)
}

/** Cached instants of positions. */
const CACHE_LIMIT = 200

/** Positions of an instrument before an instant. */
const positionsBefore = perWorld((world) => {
  const cached = new Cache<string, PositionsByTrader>(CACHE_LIMIT)
  return function* read(of: InstrumentRow, timeMs: TapeMs): Slices<PositionsByTrader> {
    const key = `${of.id}/${timeMs}`
    const known = cached.find(key)
    if (known) return known
    const held = new Map<number, Sz>()
    for (const { id } of tradersOf(world).list) {
      // Each may have to be unpacked.
      yield
      const holding = holdingOf(traderHistories(world).of(id), of)
      const size = holding ? holding.sz(holding.lastUpTo(later(timeMs, -1))) : ZERO
      if (size !== ZERO) held.set(id, size)
    }
    return cached.put(key, held)
  }
})

/** Leverage of a trader on an instrument; it never changes. */
const leveragesOf = perWorld((world) => {
  const known = new Map<number, number>()
  return (of: InstrumentRow, trader: number): number => {
    const key = of.id * 2 ** 32 + trader
    const before = known.get(key)
    if (before !== undefined) return before
    const held = holdingOf(traderHistories(world).of(trader), of)
    if (held) known.set(key, held.leverage)
    return held?.leverage ?? 1
  }
})
