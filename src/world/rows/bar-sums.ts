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
import { type BarDay, barWorth } from './bar-days.ts'
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
    let atMs = fromMs
    for (let at = Math.floor(fromMs / BAR_MS); atMs < toMs; at++) {
      const startMs = at * BAR_MS
      const untilMs = Math.min(toMs, startMs + BAR_MS)
      if (untilMs - atMs === BAR_MS) this.addWhole(bars, at)
      else this.addPart(barAt(bars, at), atMs - startMs, untilMs - startMs)
      atMs = untilMs
    }
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

  /** The same as all of a part, for which no bar is put together: nearly all minutes are whole. */
  private addWhole(bars: BarDay, at: number): void {
    const open = bars.open[at] as number
    const trades = bars.trades[at] as number
    if (trades === 0) return this.extend(open, open, open, open)
    this.extend(open, bars.high[at] as number, bars.low[at] as number, bars.close[at] as number)
    const [bought, sold] = [bars.bought[at] as number, bars.sold[at] as number]
    this.count(trades, boughtTrades(trades, bought, sold))
    this.trade(bought, sold, bars.boughtWorth[at] as number, bars.soldWorth[at] as number)
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
