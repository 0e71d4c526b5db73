/** Last prices of instruments at full minutes, an hour at a time in memory. */
import type { Statement } from 'bun:sqlite'
import { Cache } from '../../cache.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { tradeHoursOf } from '../trade-hours.ts'

export const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** History is sparse: there a whole day is read at once. */
const HOURS_AT_ONCE = 24
/** Hours kept in memory, half a kilobyte each. */
const KEPT = 20_000

/** The full minute at or before an instant, tape time. */
export const minuteOf = (timeMs: number) => Math.floor(timeMs / MINUTE_MS) * MINUTE_MS

const NOTHING = new Float64Array(60)

export const minutePricesOf = perWorld((world) => new MinutePrices(world))

export class MinutePrices {
  private readonly hours = new Cache<number, Float64Array>(KEPT)
  private readonly between: Statement

  constructor(private readonly world: World) {
    this.between = world.db.prepare(
      `select timeMs, px from trade where instrument = ? and timeMs > ? and timeMs <= ?
       order by timeMs, id`,
    )
  }

  /** Price of the newest trade at a full minute, price units; null before the first. */
  at(instrument: number, minuteMs: number): number | null {
    const startMs = Math.floor(minuteMs / HOUR_MS) * HOUR_MS
    const hour = this.hours.find(keyOf(instrument, startMs)) ?? this.read(instrument, startMs)
    const px = hour[(minuteMs - startMs) / MINUTE_MS] as number
    return px === 0 ? null : px
  }

  private read(instrument: number, startMs: number): Float64Array {
    if (startMs + HOUR_MS > this.world.startMs) return this.lookUp(instrument, startMs)
    const firstMs = Math.floor(startMs / (HOURS_AT_ONCE * HOUR_MS)) * HOURS_AT_ONCE * HOUR_MS
    const lastMs = Math.min(firstMs + HOURS_AT_ONCE * HOUR_MS, this.world.startMs) - MINUTE_MS
    const rows = this.between.values(instrument, firstMs, lastMs) as [number, number][]
    let px = tradeHoursOf(this.world).lastBefore(instrument, firstMs + 1)?.px ?? 0
    let at = 0
    let found = NOTHING
    for (let hourMs = firstMs; hourMs + HOUR_MS <= this.world.startMs; hourMs += HOUR_MS) {
      if (hourMs >= firstMs + HOURS_AT_ONCE * HOUR_MS) break
      const hour = new Float64Array(60)
      for (let minute = 0; minute < 60; minute++) {
        const minuteMs = hourMs + minute * MINUTE_MS
        for (; at < rows.length && (rows[at]?.[0] as number) <= minuteMs; at++)
          px = rows[at]?.[1] as number
        hour[minute] = px
      }
      this.hours.put(keyOf(instrument, hourMs), hour)
      if (hourMs === startMs) found = hour
    }
    return found
  }

  /** On the tape there may be more trades in an hour than anybody wants to read. */
  private lookUp(instrument: number, startMs: number): Float64Array {
    const trades = tradeHoursOf(this.world)
    const price = (_: unknown, minute: number) =>
      trades.lastBefore(instrument, startMs + minute * MINUTE_MS + 1)?.px ?? 0
    return this.hours.put(keyOf(instrument, startMs), Float64Array.from({ length: 60 }, price))
  }
}

const keyOf = (instrument: number, startMs: number) => instrument * 2 ** 32 + startMs / HOUR_MS
