/** Last prices of instruments at full minutes, an hour at a time in memory. */
import { HOUR_MS, MINUTE_MS } from '../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, px, raw, ZERO } from '../../decimal/quantity.ts'
import { perMarket } from '../world/per-world.ts'
import { SpanCache } from '../world/span-cache.ts'
import type { World } from '../world/world.ts'
import { tradeHoursOf } from './trade-hours.ts'

/** Hours kept in memory, half a kilobyte each. */
const CACHE_LIMIT = 20_000

/** The full minute at or before an instant. */
export const fullMinute = (timeMs: TapeMs) => tapeMs(Math.floor(timeMs / MINUTE_MS) * MINUTE_MS)

export const minutePricesOf = perMarket((world) => new MinutePrices(world))

export class MinutePrices {
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
