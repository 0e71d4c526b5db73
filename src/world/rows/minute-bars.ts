/** The minutes before the tape, any part of them (src/market/minute-bar.ts). */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, type Sz, sz } from '../../decimal/quantity.ts'
import { barAt } from '../../market/bar-columns.ts'
import { BAR_MS, type MinuteBar, offsetOf, priceIn, tradesBefore } from '../../market/minute-bar.ts'
import { perMarket } from '../per-world.ts'
import type { BarBlock } from '../schema/bar-blocks.ts'
import { nearestPrice } from '../schema/price-step.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { BAR_DAY_MS, type BarDays, barDaysOf } from './bar-days.ts'
import { BarSums } from './bar-sums.ts'
import type { TradeTally } from './trade-tally.ts'

/** What the crowd is long from an instant on, and the price of then. */
export interface CrowdLong {
  timeMs: TapeMs
  sz: Sz
  px: Px
}

/** The newest of all trades. */
export interface LastTrade {
  timeMs: TapeMs
  px: Px
}

export const minuteBarsOf = perMarket((world) => new MinuteBars(world))

export class MinuteBars {
  private readonly days: BarDays
  /** By instrument, once known. */
  private readonly firsts: (TapeMs | null)[] = []

  constructor(private readonly world: World) {
    this.days = barDaysOf(world)
  }

  /** Appends what lies in [fromMs, toMs), a few hours at most; nothing before the first trade. */
  appendTo(tally: TradeTally, of: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): void {
    const { historyStartMs, barsEndMs } = this.world.meta
    const firstMs = this.firstMs(of)
    if (firstMs === null || toMs <= firstMs || fromMs >= barsEndMs) return
    const sums = new BarSums(of)
    const endMs = Math.min(toMs, barsEndMs) - historyStartMs
    for (let atMs = Math.max(fromMs, firstMs) - historyStartMs; atMs < endMs; ) {
      const day = Math.floor(atMs / BAR_DAY_MS)
      const untilMs = Math.min(endMs, (day + 1) * BAR_DAY_MS)
      const block = this.days.find(of, day)
      if (block) sums.add(block, atMs - day * BAR_DAY_MS, untilMs - day * BAR_DAY_MS)
      atMs = untilMs
    }
    sums.appendTo(tally)
  }

  /** The last trade of the bars up to an instant; null before the first. */
  last(of: InstrumentRow, atMs: TapeMs): LastTrade | null {
    const { historyStartMs, barsEndMs } = this.world.meta
    const firstMs = this.firstMs(of)
    if (firstMs === null || atMs < firstMs) return null
    const untilMs = Math.min(atMs + 1, barsEndMs)
    const offsetMs = ((untilMs - 1 - historyStartMs) % BAR_MS) + 1
    let minuteMs = untilMs - offsetMs
    let bar = this.bar(of, minuteMs) as HeldBar
    let count = tradesBefore(bar, offsetMs)
    while (count === 0) {
      minuteMs -= BAR_MS
      bar = this.bar(of, minuteMs) as HeldBar
      count = bar.trades
    }
    const px = nearestPrice(of, priceIn(bar, offsetOf(bar, count)))
    return { timeMs: tradeMs(minuteMs, bar, count), px }
  }

  /** What the crowd is long at the ends of minutes from one instant to another, both included. */
  crowdLongs(of: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): CrowdLong[] {
    const { historyStartMs, barsEndMs } = this.world.meta
    const last = Math.floor((Math.min(toMs, barsEndMs) - historyStartMs) / BAR_MS)
    const first = Math.ceil((fromMs - historyStartMs) / BAR_MS)
    const found: CrowdLong[] = []
    for (let count = Math.max(1, first); count <= last; count++) {
      const minuteMs = later(historyStartMs, (count - 1) * BAR_MS)
      const bar = this.bar(of, minuteMs)
      if (!bar) break
      const [long, px] = [sz(bar.interest), nearestPrice(of, bar.close)]
      found.push({ timeMs: later(minuteMs, BAR_MS), sz: long, px })
    }
    return found
  }

  /** Time of the first trade; null where there is no past. */
  firstMs(of: InstrumentRow): TapeMs | null {
    const known = this.firsts[of.id]
    if (known !== undefined) return known
    const first = this.findFirst(of)
    this.firsts[of.id] = first
    return first
  }

  private findFirst(of: InstrumentRow): TapeMs | null {
    const { historyStartMs, barsEndMs } = this.world.meta
    for (let atMs = historyStartMs; atMs < barsEndMs; atMs = later(atMs, BAR_MS)) {
      const bar = this.bar(of, atMs)
      if (bar === null) return null
      if (bar.trades > 0) return tradeMs(atMs, bar, 1)
    }
    return null
  }

  private bar(of: InstrumentRow, minuteMs: number): HeldBar | null {
    const offsetMs = minuteMs - this.world.meta.historyStartMs
    const day = Math.floor(offsetMs / BAR_DAY_MS)
    const block = this.days.find(of, day)
    return block && heldBarAt(block, (offsetMs - day * BAR_DAY_MS) / BAR_MS)
  }
}

/** With what the crowd is long at its end, size units. */
interface HeldBar extends MinuteBar {
  interest: number
}

/** When a minute's trade of that number was: the ms that its offset ends. */
const tradeMs = (minuteMs: number, bar: MinuteBar, count: number) =>
  tapeMs(minuteMs + Math.ceil(offsetOf(bar, count)) - 1)

function heldBarAt(block: BarBlock, at: number): HeldBar {
  return { ...barAt(block, at), interest: block.interest[at] as number }
}
