/**
 * Who traded with whom, an hour of an instrument at a time in memory, and which orders were large.
 */

import { sql } from 'drizzle-orm'
import { DAY_MS, HOUR_MS } from '../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { add, raw, type Sz, type Usd, usd } from '../../decimal/quantity.ts'
import { trade } from '../schema/schema.ts'
import { perMarket } from '../world/per-world.ts'
import { SpanCache } from '../world/span-cache.ts'
import type { World } from '../world/world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'

/** Trades kept in memory, about 40 bytes each. */
const CACHE_LIMIT = 1_000_000

/** Trades of one span, rising by time. Sizes in size units. */
export interface TradeSpan {
  startMs: TapeMs
  endMs: TapeMs
  timesMs: Float64Array
  buyers: Int32Array
  sellers: Int32Array
  sizes: Float64Array
  /** Rising by time. */
  large: readonly LargeOrder[]
}

/** What one order took at one instant. */
export interface LargeOrder {
  timeMs: TapeMs
  side: 'A' | 'B'
  /** trader.id of the taker. */
  taker: number
  sz: Sz
  notional: Usd
}

/** On the own venue; the least that may be large on the largest exchange. */
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

export class TradeSpans {
  private readonly spans: SpanCache<string, TradeSpan>
  private readonly between: Reader<
    SpanTradeValues,
    [instrument: number, startMs: TapeMs, endMs: TapeMs]
  >

  constructor(private readonly world: World) {
    this.spans = new SpanCache(world, CACHE_LIMIT, ({ timesMs }) => timesMs.length)
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

/** The trades of one taker order at one instant lie together. */
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
