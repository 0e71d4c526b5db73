/** Last prices of instruments at full minutes, an hour at a time in memory. */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, px, raw, ZERO } from '../../decimal/quantity.ts'
import { Cache } from '../cache.ts'
import { perWorld } from '../per-world.ts'
import { trade } from '../schema.ts'
import type { World } from '../world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import { tradeHoursOf } from './trade-hours.ts'

export const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** History is sparse: there a whole day is read at once. */
const HOURS_AT_ONCE = 24
/** Hours kept in memory, half a kilobyte each. */
const CACHE_LIMIT = 20_000

/** The full minute at or before an instant. */
export const fullMinute = (timeMs: TapeMs) => tapeMs(Math.floor(timeMs / MINUTE_MS) * MINUTE_MS)

const NOTHING = new Float64Array(60)

export const minutePricesOf = perWorld((world) => new MinutePrices(world))

const PRICES = columns({ timeMs: trade.timeMs, px: trade.px })
type Priced = RowOf<typeof PRICES>

export class MinutePrices {
  /** Prices of each minute; 0 before the first trade. */
  private readonly hours = new Cache<number, Float64Array>(CACHE_LIMIT)
  private readonly between: Reader<Priced, [instrument: number, afterMs: TapeMs, toMs: TapeMs]>

  constructor(private readonly world: World) {
    this.between = PRICES.prepare(
      world.db,
      'from trade where instrument = ? and timeMs > ? and timeMs <= ? order by timeMs, id',
    )
  }

  /** Price of the newest trade at a full minute; null before the first. */
  at(instrument: number, minuteMs: TapeMs): Px | null {
    const startMs = tapeMs(Math.floor(minuteMs / HOUR_MS) * HOUR_MS)
    const hour = this.hours.find(keyOf(instrument, startMs)) ?? this.read(instrument, startMs)
    const price = px(hour[(minuteMs - startMs) / MINUTE_MS] as number)
    return price === ZERO ? null : price
  }

  private read(instrument: number, startMs: TapeMs): Float64Array {
    if (startMs + HOUR_MS > this.world.startMs) return this.lookUp(instrument, startMs)
    const spanMs = HOURS_AT_ONCE * HOUR_MS
    const firstMs = tapeMs(Math.floor(startMs / spanMs) * spanMs)
    const endMs = Math.min(firstMs + spanMs, this.world.startMs)
    const rows = this.between.all(instrument, firstMs, tapeMs(endMs - MINUTE_MS))
    let price = tradeHoursOf(this.world).lastBefore(instrument, later(firstMs, 1))?.px ?? ZERO
    let at = 0
    let found = NOTHING
    for (let hourMs = firstMs; hourMs + HOUR_MS <= endMs; hourMs = later(hourMs, HOUR_MS)) {
      const hour = new Float64Array(60)
      for (let minute = 0; minute < 60; minute++) {
        const minuteMs = hourMs + minute * MINUTE_MS
        for (; at < rows.length && (rows[at] as Priced).timeMs <= minuteMs; at++)
          price = (rows[at] as Priced).px
        hour[minute] = raw(price)
      }
      this.hours.put(keyOf(instrument, hourMs), hour)
      if (hourMs === startMs) found = hour
    }
    return found
  }

  /** On the tape there may be more trades in an hour than should be read at once. */
  private lookUp(instrument: number, startMs: TapeMs): Float64Array {
    const trades = tradeHoursOf(this.world)
    const price = (_: unknown, minute: number) =>
      raw(trades.lastBefore(instrument, later(startMs, minute * MINUTE_MS + 1))?.px ?? ZERO)
    return this.hours.put(keyOf(instrument, startMs), Float64Array.from({ length: 60 }, price))
  }
}

const keyOf = (instrument: number, startMs: TapeMs) => instrument * 2 ** 32 + startMs / HOUR_MS
