/** The minutes before the tape, any part of them (src/market/minute-bar.ts). */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, type Sz, sz, type Usd, usd } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import { barAt } from '../../market/bar-columns.ts'
import {
  areaBy,
  BAR_MS,
  type MinuteBar,
  offsetOf,
  priceIn,
  rangeIn,
  shareOf,
  tradesBefore,
  worthOf,
} from '../../market/minute-bar.ts'
import { Cache } from '../cache.ts'
import { perWorld } from '../per-world.ts'
import { type BarBlock, unpackBars } from '../schema/bar-blocks.ts'
import { nearestPrice } from '../schema/price-step.ts'
import { bars, type InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { columns } from './columns.ts'

/** What of a bar lies between two instants, from its last price before to its last one. */
export interface BarPart {
  open: Px
  high: Px
  low: Px
  close: Px
  /** What takers bought and sold. */
  bought: Traded
  sold: Traded
}

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

interface Traded {
  trades: number
  sz: Sz
  notional: Usd
}

const DAY_MS = 1440 * BAR_MS
/** Days of an instrument kept in memory, 100 kilobytes each. */
const DAYS_KEPT = 96
export const minuteBarsOf = perWorld((world) => new MinuteBars(world))

export class MinuteBars {
  private readonly days = new Cache<string, BarBlock | null>(DAYS_KEPT)
  /** By instrument, once known. */
  private readonly firsts: (TapeMs | null)[] = []
  private readonly read

  constructor(private readonly world: World) {
    this.read = columns({ minutes: bars.minutes }).prepare<[instrument: number, startMs: TapeMs]>(
      world.db,
      'from bars where instrument = ? and startMs = ?',
    )
  }

  /** The parts of bars in [fromMs, toMs), oldest first; none before the first trade. */
  *parts(of: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): Generator<BarPart> {
    const { historyStartMs, barsEndMs } = this.world.meta
    const firstMs = this.firstMs(of)
    if (firstMs === null || toMs <= firstMs) return
    const endMs = Math.min(toMs, barsEndMs)
    let atMs = Math.max(fromMs, firstMs)
    while (atMs < endMs) {
      const minuteMs = atMs - ((atMs - historyStartMs) % BAR_MS)
      const bar = this.bar(of, minuteMs)
      const untilMs = Math.min(endMs, minuteMs + BAR_MS)
      if (bar) yield partOf(of, bar, atMs - minuteMs, untilMs - minuteMs)
      atMs = untilMs
    }
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

  private bar({ id }: InstrumentRow, minuteMs: number): HeldBar | null {
    const { historyStartMs } = this.world.meta
    const place = Math.floor((minuteMs - historyStartMs) / DAY_MS)
    const dayMs = later(historyStartMs, place * DAY_MS)
    const block = this.days.get(`${id}/${place}`, () => {
      const row = this.read.get(id, dayMs)
      return row && unpackBars(row.minutes)
    })
    return block && heldBarAt(block, (minuteMs - dayMs) / BAR_MS)
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

function partOf(of: InstrumentRow, bar: MinuteBar, fromMs: number, toMs: number): BarPart {
  const [from, to] = [tradesBefore(bar, fromMs), tradesBefore(bar, toMs)]
  const [beginMs, endMs] = [offsetOf(bar, from), offsetOf(bar, to)]
  const [low, high] = rangeIn(bar, beginMs, endMs)
  const boughtTrades = Math.round((bar.trades * bar.bought) / Math.max(1, bar.bought + bar.sold))
  const [areaBefore, area] = [areaBy(bar, beginMs), areaBy(bar, endMs)]
  const unit = pow10(6) / pow10(of.pxDecimals) / pow10(of.szDecimals)
  const worth = (size: number, under: number) => Math.round(worthOf(size, under) * unit)
  const traded = (size: number, trades: number): Traded => ({
    trades,
    sz: sz(shareOf(bar, size, to) - shareOf(bar, size, from)),
    notional: usd(worth(size, area) - worth(size, areaBefore)),
  })
  const bought = shareOf(bar, boughtTrades, to) - shareOf(bar, boughtTrades, from)
  return {
    open: nearestPrice(of, priceIn(bar, beginMs)),
    high: nearestPrice(of, high),
    low: nearestPrice(of, low),
    close: nearestPrice(of, priceIn(bar, endMs)),
    bought: traded(bar.bought, bought),
    // What is left of the count, so that a part with any size has a trade.
    sold: traded(bar.sold, to - from - bought),
  }
}
