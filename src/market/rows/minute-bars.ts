/** Minute bars before the tape, and any part of them (src/market/bars/past-bars.ts). */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, pow10, type Sz, sz, usd } from '../../decimal/quantity.ts'
import {
  areaBy,
  BAR_MS,
  barAt,
  type KeptColumn,
  type MinuteBar,
  meanPxAt,
  offsetOf,
  priceIn,
  rangeIn,
  shareOf,
  tradesBefore,
  worthOf,
} from '../bars/past-bars.ts'
import { type BarBlock, unpackKeptBars } from '../schema/bar-blocks.ts'
import { nearestPrice } from '../schema/price-step.ts'
import { bars, type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'
import { Cache, perMarket } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns } from './columns.ts'
import type { TradeTally } from './trade-tally.ts'

/** Days of minute bars as columns, unpacked on request. */
export const BAR_DAY_MS = 1440 * BAR_MS
/** Days of an instrument kept in memory, 50 to 115 kB each: a month of a dozen instruments. */
const DAYS_KEPT = 384

/** A day of minutes. */
interface BarDay extends BarBlock<KeptColumn> {
  /** Values of each minute's taker buys and sells; null until read. */
  worths: BarWorths | null
}

/** Micro-dollars. */
interface BarWorths {
  bought: Float64Array
  sold: Float64Array
}

export const barDaysOf = perMarket((world) => new BarDays(world))

export class BarDays {
  private readonly days = new Cache<number, BarDay | null>(DAYS_KEPT)
  private readonly read

  constructor(private readonly world: World) {
    this.read = columns({ minutes: bars.minutes }).prepare<[instrument: number, startMs: TapeMs]>(
      world.db,
      'from bars where instrument = ? and startMs = ?',
    )
  }

  /** The bars of a day, counted from the first of the history; null for none. */
  find(of: InstrumentRow, day: number): BarDay | null {
    return this.days.get(of.id * DAYS_MAX + day, () => {
      const row = this.read.get(of.id, later(this.world.meta.historyStartMs, day * BAR_DAY_MS))
      return row && { ...unpackKeptBars(row.minutes), worths: null }
    })
  }
}

/** Micro-dollars of a size under an area (`worthOf`). */
function barWorth(of: InstrumentRow): (size: number, area: number) => number {
  const unit = pow10(MONEY_DECIMALS) / pow10(of.pxDecimals) / pow10(of.szDecimals)
  return (size, area) => Math.round(worthOf(size, area) * unit)
}

/** Value of each minute's trades. */
function worthsOf(of: InstrumentRow, day: BarDay): BarWorths {
  day.worths ??= newWorths(of, day)
  return day.worths
}

function newWorths(of: InstrumentRow, day: BarDay): BarWorths {
  const { length } = day.open
  const worth = barWorth(of)
  const worths = { bought: new Float64Array(length), sold: new Float64Array(length) }
  for (let at = 0; at < length; at++) {
    const mean = meanPxAt(day, at)
    worths.bought[at] = worth(day.bought[at] as number, mean)
    worths.sold[at] = worth(day.sold[at] as number, mean)
  }
  return worths
}

/** Exceeds the longest history. */
const DAYS_MAX = 2 ** 16

/**
 * Sums of minute bars between two instants. Parts of a bar add up to the bar, so spans may be cut
 * anywhere.
 */
class BarSums {
  private isEmpty = true
  /** Whether there was a trade: until then there is only the price that is held. */
  private isTraded = false
  /** Price units; rounded to the tape's grid at the end, which keeps their order. */
  private open = 0
  private high = 0
  private low = 0
  private close = 0
  private trades = 0
  private buyTrades = 0
  private size = 0
  private buySize = 0
  /** Micro-dollars; exact, as a span is short. */
  private notional = 0
  private buyNotional = 0

  constructor(private readonly of: InstrumentRow) {}

  /** Adds the part between two offsets from the first bar's start. */
  add(bars: BarDay, fromMs: number, toMs: number): void {
    const first = Math.ceil(fromMs / BAR_MS)
    const last = Math.floor(toMs / BAR_MS)
    if (last < first) return this.addCut(bars, last, fromMs, toMs)
    if (fromMs < first * BAR_MS) this.addCut(bars, first - 1, fromMs, first * BAR_MS)
    if (first < last) this.addWhole(bars, first, last)
    if (last * BAR_MS < toMs) this.addCut(bars, last, last * BAR_MS, toMs)
  }

  /** Appends them to a tally. */
  appendTo(tally: TradeTally): void {
    if (this.isEmpty) return
    const { of } = this
    tally.addBars({
      open: nearestPrice(of, this.open),
      high: nearestPrice(of, this.high),
      low: nearestPrice(of, this.low),
      close: nearestPrice(of, this.close),
      trades: this.trades,
      buyTrades: this.buyTrades,
      size: sz(this.size),
      buySize: sz(this.buySize),
      notional: usd(this.notional),
      buyNotional: usd(this.buyNotional),
    })
  }

  /**
   * Adds whole bars between two indexes: equal to all of each, and nearly all minutes are whole.
   */
  private addWhole(bars: BarDay, from: number, to: number): void {
    const { trades, bought, sold } = bars
    const worths = worthsOf(this.of, bars)
    let [high, low, count, buys] = [0, Number.POSITIVE_INFINITY, 0, 0]
    let [buySize, sellSize, buyNotional, sellNotional] = [0, 0, 0, 0]
    let [first, last] = [-1, -1]
    for (let at = from; at < to; at++) {
      const traded = trades[at] as number
      if (traded > 0) {
        if (first < 0) first = at
        last = at
        high = Math.max(high, bars.high[at] as number)
        low = Math.min(low, bars.low[at] as number)
      }
      const [buying, selling] = [bought[at] as number, sold[at] as number]
      count += traded
      buys += boughtTrades(traded, buying, selling)
      buySize += buying
      sellSize += selling
      buyNotional += worths.bought[at] as number
      sellNotional += worths.sold[at] as number
    }
    if (first < 0) this.hold(bars.open[to - 1] as number)
    else this.extend(bars.open[first] as number, high, low, bars.close[last] as number)
    this.count(count, buys)
    this.trade(buySize, sellSize, buyNotional, sellNotional)
  }

  private addCut(bars: BarDay, at: number, fromMs: number, toMs: number): void {
    if (fromMs < toMs) this.addPart(barAt(bars, at), fromMs - at * BAR_MS, toMs - at * BAR_MS)
  }

  private addPart(bar: MinuteBar, fromMs: number, toMs: number): void {
    const [from, to] = [tradesBefore(bar, fromMs), tradesBefore(bar, toMs)]
    const [beginMs, endMs] = [offsetOf(bar, from), offsetOf(bar, to)]
    const [low, high] = rangeIn(bar, beginMs, endMs)
    if (from === to) return this.hold(priceIn(bar, beginMs))
    this.extend(priceIn(bar, beginMs), high, low, priceIn(bar, endMs))
    const { trades, bought, sold } = bar
    const buys = boughtTrades(trades, bought, sold)
    this.count(to - from, shareOf(bar, buys, to) - shareOf(bar, buys, from))
    const [before, area] = [areaBy(bar, beginMs), areaBy(bar, endMs)]
    const worth = barWorth(this.of)
    this.trade(
      shareOf(bar, bought, to) - shareOf(bar, bought, from),
      shareOf(bar, sold, to) - shareOf(bar, sold, from),
      worth(bought, area) - worth(bought, before),
      worth(sold, area) - worth(sold, before),
    )
  }

  /** A part without a trade has one price, the newest, which is no part of the range of trades. */
  private hold(px: number): void {
    if (this.isTraded) return
    this.extend(px, px, px, px)
    this.isTraded = false
  }

  private extend(open: number, high: number, low: number, close: number): void {
    if (!this.isTraded) {
      this.isEmpty = false
      this.isTraded = true
      this.open = open
      this.high = high
      this.low = low
    }
    if (high > this.high) this.high = high
    if (low < this.low) this.low = low
    this.close = close
  }

  private count(trades: number, buyTrades: number): void {
    this.trades += trades
    this.buyTrades += buyTrades
  }

  private trade(bought: number, sold: number, boughtWorth: number, soldWorth: number): void {
    this.size += bought + sold
    this.buySize += bought
    this.notional += boughtWorth + soldWorth
    this.buyNotional += boughtWorth
  }
}

const boughtTrades = (trades: number, bought: number, sold: number) =>
  Math.round((trades * bought) / Math.max(1, bought + sold))

/** The crowd's long interest from an instant on, and the price then. */
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

  /** Appends [fromMs, toMs), at most a few hours; nothing before the first trade. */
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

  /** The crowd's long interest at the ends of minutes in a span, both included. */
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

  /** Time of the first trade; null without a past. */
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

/** With the crowd's long interest at its end, size units. */
interface HeldBar extends MinuteBar {
  interest: number
}

/** Time of a minute's n-th trade: the ms of its offset. */
const tradeMs = (minuteMs: number, bar: MinuteBar, count: number) =>
  tapeMs(minuteMs + Math.ceil(offsetOf(bar, count)) - 1)

function heldBarAt(block: BarDay, at: number): HeldBar {
  return { ...barAt(block, at), interest: block.interest[at] as number }
}
