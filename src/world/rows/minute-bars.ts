/** The minutes before the tape, any part of them (src/market/minute-bar.ts). */
import { later, type TapeMs } from '../../clock/instant.ts'
import { type Px, type Sz, sz, type Usd, usd } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import {
  BAR_MS,
  countBy,
  type MinuteBar,
  priceIn,
  rangeIn,
  worthBy,
} from '../../market/minute-bar.ts'
import { Cache } from '../cache.ts'
import { perWorld } from '../per-world.ts'
import { type BarBlock, unpackBars } from '../schema/bar-blocks.ts'
import { nearestPrice } from '../schema/price-step.ts'
import { bars, type InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { columns } from './columns.ts'

/** What of a bar lies between two instants. */
export interface BarPart {
  open: Px
  high: Px
  low: Px
  close: Px
  /** What takers bought and sold. */
  bought: Traded
  sold: Traded
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
  private readonly read

  constructor(private readonly world: World) {
    this.read = columns({ minutes: bars.minutes }).prepare<[instrument: number, startMs: TapeMs]>(
      world.db,
      'from bars where instrument = ? and startMs = ?',
    )
  }

  /** The parts of bars in [fromMs, toMs), oldest first; none of the tape. */
  *parts(of: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): Generator<BarPart> {
    const { historyStartMs, startMs } = this.world.meta
    const endMs = Math.min(toMs, startMs)
    let atMs = Math.max(fromMs, historyStartMs)
    while (atMs < endMs) {
      const minuteMs = atMs - ((atMs - historyStartMs) % BAR_MS)
      const bar = this.bar(of, minuteMs)
      const untilMs = Math.min(endMs, minuteMs + BAR_MS)
      if (bar && bar.trades > 0) yield partOf(of, bar, atMs - minuteMs, untilMs - minuteMs)
      atMs = untilMs
    }
  }

  /** The price at an instant before the tape; null where there is none. */
  pxAt(of: InstrumentRow, atMs: TapeMs): Px | null {
    const { historyStartMs, startMs } = this.world.meta
    if (atMs < historyStartMs || atMs >= startMs) return null
    const offsetMs = (atMs - historyStartMs) % BAR_MS
    const bar = this.bar(of, atMs - offsetMs)
    return bar && nearestPrice(of, priceIn(bar, offsetMs))
  }

  /** Start of the first minute in which anything was traded; null where there is no past. */
  firstMs(of: InstrumentRow): TapeMs | null {
    const { historyStartMs, startMs } = this.world.meta
    for (let atMs = historyStartMs; atMs < startMs; atMs = later(atMs, BAR_MS)) {
      const bar = this.bar(of, atMs)
      if (bar === null || bar.trades > 0) return bar && atMs
    }
    return null
  }

  private bar({ id }: InstrumentRow, minuteMs: number): MinuteBar | null {
    const { historyStartMs } = this.world.meta
    const place = Math.floor((minuteMs - historyStartMs) / DAY_MS)
    const dayMs = later(historyStartMs, place * DAY_MS)
    const block = this.days.get(`${id}/${place}`, () => {
      const row = this.read.get(id, dayMs)
      return row && unpackBars(row.minutes)
    })
    return block && barAt(block, (minuteMs - dayMs) / BAR_MS)
  }
}

function barAt(block: BarBlock, at: number): MinuteBar {
  return {
    open: block.open[at] as number,
    high: block.high[at] as number,
    low: block.low[at] as number,
    close: block.close[at] as number,
    highFirst: block.highFirst[at] === 1,
    bought: block.bought[at] as number,
    sold: block.sold[at] as number,
    trades: block.trades[at] as number,
  }
}

function partOf(of: InstrumentRow, bar: MinuteBar, fromMs: number, toMs: number): BarPart {
  const [low, high] = rangeIn(bar, fromMs, toMs)
  const boughtTrades = Math.round((bar.trades * bar.bought) / (bar.bought + bar.sold))
  const unit = pow10(6) / pow10(of.pxDecimals) / pow10(of.szDecimals)
  const traded = (size: number, trades: number): Traded => {
    const worth = worthBy(bar, size, toMs) - worthBy(bar, size, fromMs)
    return {
      trades: countBy(trades, toMs) - countBy(trades, fromMs),
      sz: sz(countBy(size, toMs) - countBy(size, fromMs)),
      notional: usd(Math.round(worth * unit)),
    }
  }
  return {
    open: nearestPrice(of, priceIn(bar, fromMs)),
    high: nearestPrice(of, high),
    low: nearestPrice(of, low),
    close: nearestPrice(of, priceIn(bar, toMs)),
    bought: traded(bar.bought, boughtTrades),
    sold: traded(bar.sold, bar.trades - boughtTrades),
  }
}
