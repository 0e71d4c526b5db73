/** Prices that value holdings. */
import { sql } from 'drizzle-orm'
import { HOUR_MS, later, MINUTE_MS, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, px, raw, ZERO } from '../../decimal/quantity.ts'
import { BAR_MS, barAt, type MinuteBar, priceIn, rangeIn, reachedIn } from '../bars/past-bars.ts'
import { nearestPrice } from '../schema/price-step.ts'
import { type InstrumentRow, mark, trade } from '../schema/schema.ts'
import { perMarket, SpanCache } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns } from './columns.ts'
import { BAR_DAY_MS, type BarDays, barDaysOf } from './minute-bars.ts'
import { noSteps, ValueSteps } from './open-interest.ts'
import { packedRows } from './step-series.ts'
import { tradeHoursOf } from './trade-hours.ts'

// An instrument's earlier prices: from minute bars, else from trades.

/** The prices of one instrument. */
export class EarlierPrices {
  private readonly barsEndMs: TapeMs
  private readonly days: BarDays

  constructor(
    private readonly world: World,
    private readonly of: InstrumentRow,
  ) {
    this.barsEndMs = world.meta.barsEndMs
    this.days = barDaysOf(world)
  }

  /** The price at an instant covered by bars; null elsewhere. */
  at(atMs: TapeMs): Px | null {
    const offsetMs = atMs - this.world.meta.historyStartMs
    if (offsetMs < 0 || atMs >= this.barsEndMs) return null
    const bars = this.days.find(this.of, Math.floor(offsetMs / BAR_DAY_MS))
    if (!bars) return null
    const bar = barAt(bars, Math.floor((offsetMs % BAR_DAY_MS) / BAR_MS))
    return nearestPrice(this.of, priceIn(bar, offsetMs % BAR_MS))
  }

  /** When it last had a price, in an earlier minute than that of the end; null for never. */
  lastAt(price: Px, fromMs: TapeMs, beforeMs: TapeMs): TapeMs | null {
    const { lastAt } = earlierRows(this.world)
    const tradesMs = tapeMs(Math.max(fromMs, this.barsEndMs))
    const traded = lastAt.get(this.of.id, tradesMs, beforeMs, price)
    if (traded) return traded.timeMs
    const minuteMs = tapeMs(beforeMs - ((beforeMs - this.world.meta.historyStartMs) % BAR_MS))
    for (const { startMs, bar, ...part } of this.minutesBack(fromMs, minuteMs)) {
      // A minute without trades has a price, but no candle.
      if (bar.trades === 0 || raw(price) < bar.low || raw(price) > bar.high) continue
      const reachedMs = reachedIn(bar, raw(price), raw(price) >= bar.open, part.fromMs)
      if (reachedMs !== undefined) return later(startMs, Math.ceil(reachedMs))
    }
    return null
  }

  /** The worst price with fromMs <= time < toMs: the lowest for a long, the highest for a short. */
  worst(side: 'long' | 'short', fromMs: TapeMs, toMs: TapeMs): Px {
    const { range } = earlierRows(this.world)
    const traded = range.get(this.of.id, tapeMs(Math.max(fromMs, this.barsEndMs)), toMs)
    let low = traded?.low ?? Number.POSITIVE_INFINITY
    let high = traded?.high ?? 0
    for (const { bar, ...part } of this.minutesBack(fromMs, toMs)) {
      const range = rangeIn(bar, part.fromMs, part.toMs)
      low = Math.min(low, range[0])
      high = Math.max(high, range[1])
    }
    return px(side === 'long' ? Math.floor(low) : Math.ceil(high))
  }

  /** When it was last worse for a side than a price, to the minute within bars. */
  lastBeyond(side: 'long' | 'short', price: Px, fromMs: TapeMs, toMs: TapeMs): TapeMs | null {
    const { lastBelow, lastAbove } = earlierRows(this.world)
    const last = side === 'long' ? lastBelow : lastAbove
    const traded = last.get(this.of.id, tapeMs(Math.max(fromMs, this.barsEndMs)), toMs, price)
    if (traded) return traded.timeMs
    for (const { startMs, bar, ...part } of this.minutesBack(fromMs, toMs)) {
      const [low, high] = rangeIn(bar, part.fromMs, part.toMs)
      if (side === 'long' ? low < raw(price) : high > raw(price)) return later(startMs, part.toMs)
    }
    return null
  }

  /** The bars of a span, latest first, each with its part of the span. */
  private *minutesBack(fromMs: TapeMs, toMs: TapeMs): Generator<MinutePart> {
    const { historyStartMs } = this.world.meta
    const first = Math.max(0, fromMs - historyStartMs)
    const end = Math.min(toMs, this.barsEndMs) - historyStartMs
    for (let minute = Math.ceil(end / BAR_MS) - 1; minute * BAR_MS > first - BAR_MS; minute--) {
      const offsetMs = minute * BAR_MS
      const bars = this.days.find(this.of, Math.floor(offsetMs / BAR_DAY_MS))
      if (!bars) return
      yield {
        startMs: later(historyStartMs, offsetMs),
        bar: barAt(bars, (offsetMs % BAR_DAY_MS) / BAR_MS),
        fromMs: Math.max(0, first - offsetMs),
        toMs: Math.min(BAR_MS, end - offsetMs),
      }
    }
  }
}

/** A bar and a part of it: offsets. */
interface MinutePart {
  startMs: TapeMs
  bar: MinuteBar
  fromMs: number
  toMs: number
}

const TIMES = columns({ timeMs: trade.timeMs })
const RANGES = columns({
  low: sql<number | null>`min(${trade.px})`,
  high: sql<number | null>`max(${trade.px})`,
})

const earlierRows = perMarket(({ db }) => {
  type Span = [instrument: number, fromMs: TapeMs, toMs: TapeMs]
  const span = 'from trade where instrument = ? and timeMs >= ? and timeMs < ?'
  const last = 'order by timeMs desc limit 1'
  return {
    range: RANGES.prepare<Span>(db, span),
    lastAt: TIMES.prepare<[...Span, px: Px]>(db, `${span} and px = ? ${last}`),
    lastBelow: TIMES.prepare<[...Span, px: Px]>(db, `${span} and px < ? ${last}`),
    lastAbove: TIMES.prepare<[...Span, px: Px]>(db, `${span} and px > ? ${last}`),
  }
})

// Last prices of instruments at full minutes, an hour at a time in memory.

/** Hours kept in memory, half a kilobyte each. */
const CACHE_LIMIT = 20_000

/** The full minute at or before an instant. */
export const fullMinute = (timeMs: TapeMs) => tapeMs(Math.floor(timeMs / MINUTE_MS) * MINUTE_MS)

export const minutePricesOf = perMarket((world) => new MinutePrices(world))

class MinutePrices {
  /** Prices of each minute; 0 before the first trade. */
  private readonly hours: SpanCache<number, Float64Array>

  constructor(private readonly world: World) {
    this.hours = new SpanCache(world, CACHE_LIMIT)
  }

  /** Price of the newest trade at a full minute; null before the first. */
  at(instrument: number, minuteMs: TapeMs): Px | null {
    const startMs = tapeMs(Math.floor(minuteMs / HOUR_MS) * HOUR_MS)
    const hour = this.hours.find(keyOf(instrument, startMs)) ?? this.read(instrument, startMs)
    const price = px(hour[(minuteMs - startMs) / MINUTE_MS] as number)
    return price === ZERO ? null : price
  }

  private read(instrument: number, startMs: TapeMs): Float64Array {
    const trades = tradeHoursOf(this.world)
    const price = (_: unknown, minute: number) =>
      raw(trades.pxBefore(instrument, later(startMs, minute * MINUTE_MS + 1)) ?? ZERO)
    const prices = Float64Array.from({ length: 60 }, price)
    return this.hours.put(keyOf(instrument, startMs), startMs + HOUR_MS, prices)
  }
}

const keyOf = (instrument: number, startMs: TapeMs) => instrument * 2 ** 32 + startMs / HOUR_MS

/**
 * Mark price in price units; the last trade's while there is no mark, null without either. Where
 * bars have the price it is theirs: rows have only some of its marks.
 */
export function markPx(world: World, { id }: InstrumentRow, atMs: TapeMs): Px | null {
  const price = markPrices(world)(id).at(atMs)
  return price === null ? null : px(price)
}

/** Of an instrument, price units. */
export interface MarkPrices {
  /** The price at an instant; null before the first. */
  at(atMs: TapeMs): number | null
  /** Over all times; null without any. */
  highest(): number | null
}

/** All prices of an instrument's id. */
export const markPrices = (world: World) => (instrument: number) => pricesOf(world).of(instrument)

const pricesOf = perMarket(
  (world) => new AllMarkPrices(world),
  (prices) => prices.grown(),
)

class AllMarkPrices {
  private readonly known: (InstrumentPrices | undefined)[] = []

  constructor(private readonly world: World) {}

  of(instrument: number): MarkPrices {
    const before = this.known[instrument]
    if (before) return before
    const prices = new InstrumentPrices(this.world, instrument)
    this.known[instrument] = prices
    return prices
  }

  grown(): this {
    for (const prices of this.known) prices?.grown()
    return this
  }
}

/**
 * Packed prices are in memory as a whole. Later ones are a price each three seconds without end, so
 * they are read from the file.
 */
class InstrumentPrices implements MarkPrices {
  private readonly packed: ValueSteps
  private readonly past: EarlierPrices
  private most: number | null
  /** The highest price is known up to here. */
  private endMs: TapeMs

  constructor(
    private readonly world: World,
    private readonly instrument: number,
  ) {
    const [section] = packedRows(world).sections('prices', instrument)
    this.packed = section ? new ValueSteps(section).cut(world.packedEndMs) : noSteps()
    this.past = new EarlierPrices(world, world.instruments[instrument] as InstrumentRow)
    this.most = this.packed.highest()
    this.endMs = world.packedEndMs
    this.grown()
  }

  at(atMs: TapeMs): number | null {
    const past = this.past.at(atMs)
    if (past !== null) return raw(past)
    if (atMs <= this.world.packedEndMs) return this.packed.at(atMs)
    const { marked, traded } = statements(this.world)
    const row = marked.get(this.instrument, atMs) ?? traded.get(this.instrument, atMs)
    return row ? raw(row.px) : this.packed.at(atMs)
  }

  highest(): number | null {
    return this.most
  }

  /** Reads the world's growth. */
  grown(): void {
    const { world, instrument, endMs: afterMs } = this
    if (afterMs >= world.endMs) return
    const { highestMark, highestTrade } = statements(world)
    const added =
      highestMark.get(instrument, afterMs, world.endMs)?.px ??
      highestTrade.get(instrument, afterMs, world.endMs)?.px ??
      null
    if (added !== null) this.most = Math.max(this.most ?? 0, raw(added))
    this.endMs = world.endMs
  }
}

const statements = perMarket(({ db }) => {
  type At = [instrument: number, atMs: TapeMs]
  type Span = [instrument: number, afterMs: TapeMs, toMs: TapeMs]
  const before = 'where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1'
  const span = 'where instrument = ? and timeMs > ? and timeMs <= ?'
  const [marks, trades] = [columns({ px: mark.mark }), columns({ px: trade.px })]
  const highest = columns({ px: sql<Px | null>`max(px)` })
  return {
    marked: marks.prepare<At>(db, `from mark ${before}`),
    traded: trades.prepare<At>(db, `from trade ${before}`),
    highestMark: highest.prepare<Span>(db, `from (select mark px from mark ${span})`),
    highestTrade: highest.prepare<Span>(db, `from (select px from trade ${span})`),
  }
})
