/**
 * What minute bars add up to between two instants. Parts of a bar add up to the bar, so spans may
 * be cut anywhere.
 */
import { sz, usd } from '../../decimal/quantity.ts'
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
} from '../../market/minute-bar.ts'
import { nearestPrice } from '../schema/price-step.ts'
import type { InstrumentRow } from '../schema.ts'
import { type BarDay, barWorth, worthsOf } from './bar-days.ts'
import type { TradeTally } from './trade-tally.ts'

export class BarSums {
  private isEmpty = true
  /** Price units; they fall on the tape's grid in the end, which keeps their order. */
  private open = 0
  private high = 0
  private low = 0
  private close = 0
  private trades = 0
  private buyTrades = 0
  private size = 0
  private buySize = 0
  /** Micro-dollars; a span is short enough for them to be exact. */
  private notional = 0
  private buyNotional = 0

  constructor(private readonly of: InstrumentRow) {}

  /** Adds what lies between two offsets from the first bar's start. */
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

  /** Bars from a place to another: the same as all of each, and nearly all minutes are whole. */
  private addWhole(bars: BarDay, from: number, to: number): void {
    const { trades, bought, sold } = bars
    const worths = worthsOf(this.of, bars)
    let [high, low, count, buys] = [0, Number.POSITIVE_INFINITY, 0, 0]
    let [buySize, sellSize, buyNotional, sellNotional] = [0, 0, 0, 0]
    for (let at = from; at < to; at++) {
      const traded = trades[at] as number
      // What has no trade in it has one price.
      const [top, bottom] = traded === 0 ? [bars.open, bars.open] : [bars.high, bars.low]
      high = Math.max(high, top[at] as number)
      low = Math.min(low, bottom[at] as number)
      const [buying, selling] = [bought[at] as number, sold[at] as number]
      count += traded
      buys += boughtTrades(traded, buying, selling)
      buySize += buying
      sellSize += selling
      buyNotional += worths.bought[at] as number
      sellNotional += worths.sold[at] as number
    }
    const closes = trades[to - 1] === 0 ? bars.open : bars.close
    this.extend(bars.open[from] as number, high, low, closes[to - 1] as number)
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
    this.extend(priceIn(bar, beginMs), high, low, priceIn(bar, endMs))
    if (from === to) return
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

  private extend(open: number, high: number, low: number, close: number): void {
    if (this.isEmpty) {
      this.isEmpty = false
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
