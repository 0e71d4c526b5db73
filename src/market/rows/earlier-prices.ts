/** What an instrument cost before an instant: by minute bars, by trades where there are none. */
import { sql } from 'drizzle-orm'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, px, raw } from '../../decimal/quantity.ts'
import { barAt } from '../bars/bar-columns.ts'
import { BAR_MS, type MinuteBar, priceIn, rangeIn, reachedIn } from '../bars/minute-bar.ts'
import { nearestPrice } from '../schema/price-step.ts'
import { type InstrumentRow, trade } from '../schema/schema.ts'
import { perMarket } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { BAR_DAY_MS, type BarDays, barDaysOf } from './bar-days.ts'
import { columns } from './columns.ts'

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

  /** The price of an instant that bars tell of; null elsewhere. */
  at(atMs: TapeMs): Px | null {
    const offsetMs = atMs - this.world.meta.historyStartMs
    if (offsetMs < 0 || atMs >= this.barsEndMs) return null
    const bars = this.days.find(this.of, Math.floor(offsetMs / BAR_DAY_MS))
    if (!bars) return null
    const bar = barAt(bars, Math.floor((offsetMs % BAR_DAY_MS) / BAR_MS))
    return nearestPrice(this.of, priceIn(bar, offsetMs % BAR_MS))
  }

  /** When it was at a price last, in an earlier minute than that of the end; null for never. */
  lastAt(price: Px, fromMs: TapeMs, beforeMs: TapeMs): TapeMs | null {
    const { lastAt } = statements(this.world)
    const tradesMs = tapeMs(Math.max(fromMs, this.barsEndMs))
    const traded = lastAt.get(this.of.id, tradesMs, beforeMs, price)
    if (traded) return traded.timeMs
    const minuteMs = tapeMs(beforeMs - ((beforeMs - this.world.meta.historyStartMs) % BAR_MS))
    for (const { startMs, bar, ...part } of this.minutesBack(fromMs, minuteMs)) {
      if (raw(price) < bar.low || raw(price) > bar.high) continue
      const reachedMs = reachedIn(bar, raw(price), raw(price) >= bar.open, part.fromMs)
      if (reachedMs !== undefined) return later(startMs, Math.ceil(reachedMs))
    }
    return null
  }

  /** The worst price with fromMs <= time < toMs: the lowest for a long, the highest for a short. */
  worst(side: 'long' | 'short', fromMs: TapeMs, toMs: TapeMs): Px {
    const { range } = statements(this.world)
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

  /** When it was last worse for a side than a price, to the minute where bars tell it. */
  lastBeyond(side: 'long' | 'short', price: Px, fromMs: TapeMs, toMs: TapeMs): TapeMs | null {
    const { lastBelow, lastAbove } = statements(this.world)
    const last = side === 'long' ? lastBelow : lastAbove
    const traded = last.get(this.of.id, tapeMs(Math.max(fromMs, this.barsEndMs)), toMs, price)
    if (traded) return traded.timeMs
    for (const { startMs, bar, ...part } of this.minutesBack(fromMs, toMs)) {
      const [low, high] = rangeIn(bar, part.fromMs, part.toMs)
      if (side === 'long' ? low < raw(price) : high > raw(price)) return later(startMs, part.toMs)
    }
    return null
  }

  /** The bars of a span, latest first, each with the part of it that lies in the span. */
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

/** A bar, and of which part of it is asked: offsets. */
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

const statements = perMarket(({ db }) => {
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
