/** One stock on one trading day: prices and shares traded, full minute by full minute. */
import { MINUTE_MS } from '../../../clock/durations.ts'
import { later, shownAt, type TapeMs, tapeAt, tapeMs } from '../../../clock/instant.ts'
import { fullMinute } from '../../rows/minute-prices.ts'
import type { TradingDay } from './trading-days.ts'

/** Where in its day a minute lies, from 0 to 1 of the time that is traded. */
type DayPart = number

/** What is known of a minute only once it has come. */
export interface MinuteSource {
  price(minuteMs: TapeMs, part: DayPart): number
  /** Shares traded in a minute that ends at a part, while the price moved from one to another. */
  volume(part: DayPart, minutes: number, from: number, to: number): number
}

export class StockSession {
  /** The first full minute of tape time at which there is trade. */
  readonly firstMs: TapeMs
  private readonly prices: Float64Array
  /** Shares since the opening. */
  private readonly volumes: Float64Array
  private known = 0

  constructor(
    readonly day: TradingDay,
    private readonly shiftMs: number,
    private readonly source: MinuteSource,
  ) {
    this.firstMs = fullMinute(later(tapeAt(day.openMs, shiftMs), MINUTE_MS - 1))
    const lastMs = fullMinute(tapeAt(day.closeMs, shiftMs))
    const count = (lastMs - this.firstMs) / MINUTE_MS + 1
    this.prices = new Float64Array(count)
    this.volumes = new Float64Array(count)
  }

  /** The last full minute with trade up to an instant of the day or after it. */
  lastMs(atMs: TapeMs): TapeMs {
    return later(this.firstMs, this.place(atMs) * MINUTE_MS)
  }

  /** Thousandths. */
  priceAt(atMs: TapeMs): number {
    const place = this.place(atMs)
    if (place < this.known) return this.prices[place] as number
    const minuteMs = later(this.firstMs, place * MINUTE_MS)
    return this.source.price(minuteMs, this.part(minuteMs) as DayPart)
  }

  /** Shares traded since the opening. */
  volumeAt(atMs: TapeMs): number {
    return Math.floor(this.filled(this.place(atMs)).volumes[this.place(atMs)] as number)
  }

  /** Highest and lowest price from the opening to an instant. */
  range(atMs: TapeMs): { high: number; low: number } {
    const last = this.place(atMs)
    const { prices } = this.filled(last)
    let [high, low] = [prices[0] as number, prices[0] as number]
    for (let at = 1; at <= last; at++) {
      high = Math.max(high, prices[at] as number)
      low = Math.min(low, prices[at] as number)
    }
    return { high, low }
  }

  private place(atMs: TapeMs): number {
    const { pause } = this.day
    const shown = shownAt(atMs, this.shiftMs)
    const restsMs = pause && shown > pause.fromMs && shown < pause.toMs
    const tradedMs = restsMs ? tapeAt(pause.fromMs, this.shiftMs) : atMs
    const place = Math.floor((tradedMs - this.firstMs) / MINUTE_MS)
    return Math.min(Math.max(place, 0), this.prices.length - 1)
  }

  /** Only as far as asked: later minutes may not have come. */
  private filled(last: number): { prices: Float64Array; volumes: Float64Array } {
    const { prices, volumes, source } = this
    for (; this.known <= last; this.known++) {
      const at = this.known
      const [before, sum] = at === 0 ? [0, 0] : [prices[at - 1], volumes[at - 1]]
      prices[at] = before as number
      volumes[at] = sum as number
      const minuteMs = later(this.firstMs, at * MINUTE_MS)
      const part = this.part(minuteMs)
      if (part === null) continue
      prices[at] = source.price(minuteMs, part)
      const from = at === 0 ? (prices[at] as number) : (before as number)
      const shares = source.volume(part, this.minutes, from, prices[at] as number)
      volumes[at] = (sum as number) + shares
    }
    return { prices, volumes }
  }

  private get minutes(): number {
    return this.tradedMs / MINUTE_MS
  }

  private get tradedMs(): number {
    const { openMs, closeMs, pause } = this.day
    return closeMs - openMs - (pause ? pause.toMs - pause.fromMs : 0)
  }

  /** null in the pause. */
  private part(minuteMs: TapeMs): DayPart | null {
    const { openMs, pause } = this.day
    const shown = shownAt(tapeMs(minuteMs), this.shiftMs)
    if (pause && shown > pause.fromMs && shown < pause.toMs) return null
    const rested = pause && shown >= pause.toMs ? pause.toMs - pause.fromMs : 0
    return (shown - openMs - rested) / this.tradedMs
  }
}
