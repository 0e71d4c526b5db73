/** Makes the minutes of a past that candles partly cover; the model fills the rest. */
import type { RandomSource } from '../../random/random-source.ts'
import type { MinuteMoves } from './minute-moves.ts'
import { type BarColumns, type BarScale, pastBars, sharedBars, TRADES_MOST } from './past-bars.ts'

/** Candles of one length without a gap, oldest first. */
export interface CandleRun {
  candles: readonly Candle[]
  /** Minutes of each. */
  minutesEach: number
  /** Index of the minute in which the first one begins. */
  firstMinute: number
}

/**
 * Makes the bars of a past of as many minutes as there are moves, ending at the scale's price.
 *
 * Bars before the candles lead to their first price, at their turnover; bars after them lead from
 * their last price to that of the scale.
 */
export function recordedPast(
  { candles, minutesEach, firstMinute: from }: CandleRun,
  moves: MinuteMoves,
  scale: BarScale,
  random: RandomSource,
): BarColumns {
  const [first] = candles
  if (!first) return pastBars(moves, scale, random)
  const to = from + candles.length * minutesEach
  const bars = sharedBars(moves.returns.length)
  const minuteWorth = candles.reduce((sum, one) => sum + one.volume * one.close, 0) / (to - from)
  const earlier = { ...scale, endPx: first.open, minuteWorth }
  put(bars, 0, pastBars(part(moves, 0, from), earlier, random.fork('before')))
  const cutting = random.fork('cut')
  let lastPx = first.open
  for (const [place, candle] of candles.entries()) {
    const at = from + place * minutesEach
    lastPx = cutCandle(bars, { candle, at, minutes: minutesEach, lastPx }, moves, scale, cutting)
  }
  const rest = leading(part(moves, to), Math.log(scale.endPx / lastPx))
  put(bars, to, pastBars(rest, scale, random.fork('after')))
  return bars
}

function part({ returns, sigma, turnover }: MinuteMoves, from: number, to?: number): MinuteMoves {
  return {
    returns: returns.subarray(from, to),
    sigma: sigma.subarray(from, to),
    turnover: turnover.subarray(from, to),
  }
}

/** The moves, shifted so that they add up to a given change. */
function leading(moves: MinuteMoves, change: number): MinuteMoves {
  const { returns, sigma, turnover } = moves
  const shift = (change - returns.reduce((sum, one) => sum + one, 0)) / returns.length
  return { returns: returns.map((one) => one + shift), sigma, turnover }
}

function put(bars: BarColumns, at: number, minutes: BarColumns): void {
  bars.open.set(minutes.open, at)
  bars.high.set(minutes.high, at)
  bars.low.set(minutes.low, at)
  bars.close.set(minutes.close, at)
  bars.highFirst.set(minutes.highFirst, at)
  bars.bought.set(minutes.bought, at)
  bars.sold.set(minutes.sold, at)
  bars.trades.set(minutes.trades, at)
}

/** A span without records in a market's recording, ms of its time. */
export interface RecordedGap {
  fromMs: number
  toMs: number
  why: string
}

// Cuts candles of any length into minute bars that add up to them exactly.

/** A candle in whole price units and size units; its size is a whole number of lots. */
export interface Candle {
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** Limits to stretching a modelled path until it fills a candle. */
const STRETCH = { min: 0.1, max: 10 }
/** Share of taker flow that buys grows in a rising minute. */
const FLOW_BY_MOVE = 1.1
const FLOW_NOISE = 0.5

/**
 * Writes the minutes of a candle into bars, `minutes` of them from `at` on.
 *
 * Prices lead from open to close through high and low, turnover follows the model; both follow the
 * moves at the same places. Open, high, low, close and volume of the minutes together equal the
 * candle's. A candle without trades stays at `lastPx`.
 *
 * @returns the price after the last minute
 */
export function cutCandle(
  bars: BarColumns,
  { candle, at, minutes, lastPx }: { candle: Candle; at: number; minutes: number; lastPx: number },
  moves: MinuteMoves,
  scale: BarScale,
  random: RandomSource,
): number {
  const lots = Math.round(candle.volume / scale.lot)
  const closes = closesOf(candle, moves.returns.subarray(at, at + minutes), scale)
  const [top, bottom] = [placeOf(closes, Math.max), placeOf(closes, Math.min)]
  const needed = new Set([0, top, bottom, minutes - 1])
  const shares = sharesOf(lots, moves.turnover.subarray(at, at + minutes), needed)
  let px = lastPx
  let isFirst = true
  for (const [place, share] of shares.entries()) {
    const to = at + place
    if (share === 0) {
      hold(bars, to, px)
      continue
    }
    const isLast = !shares.some((other, later) => later > place && other > 0)
    const open = isFirst ? candle.open : px
    const close = isLast ? candle.close : (closes[place] as number)
    const reach = (moves.sigma[to] as number) * Math.abs(random.normal()) * open
    bars.open[to] = open
    bars.close[to] = close
    bars.high[to] = Math.min(candle.high, scale.onTick(Math.max(open, close) + reach))
    bars.low[to] = Math.max(candle.low, scale.onTick(Math.min(open, close) - reach))
    bars.highFirst[to] = random.chance(close < open ? 0.75 : 0.25) ? 1 : 0
    trade(bars, to, share, scale, random)
    px = close
    isFirst = false
  }
  reachExtremes(bars, candle, at, shares, [top, bottom])
  return px
}

/** Writes a minute without a trade. */
function hold(bars: BarColumns, at: number, px: number): void {
  for (const column of [bars.open, bars.high, bars.low, bars.close]) column[at] = px
}

function trade(
  bars: BarColumns,
  at: number,
  lots: number,
  { lot, tradeWorth }: BarScale,
  random: RandomSource,
): void {
  const [open, close] = [bars.open[at] as number, bars.close[at] as number]
  const range = (bars.high[at] as number) - (bars.low[at] as number) || 1
  const lean = (FLOW_BY_MOVE * (close - open)) / range + FLOW_NOISE * random.normal()
  const boughtLots = Math.round(lots / (1 + Math.exp(-lean)))
  const expected = Math.min(TRADES_MOST, (lots * lot * close) / tradeWorth)
  bars.trades[at] = Math.min(lots, Math.max(1, Math.round(expected * (0.8 + 0.4 * random.unit()))))
  bars.bought[at] = boughtLots * lot
  bars.sold[at] = (lots - boughtLots) * lot
}

/** Extends the traded minutes nearest to the path's extremes to those of the candle. */
function reachExtremes(
  bars: BarColumns,
  { high, low }: Candle,
  at: number,
  shares: Float64Array,
  [top, bottom]: readonly [number, number],
): void {
  const traded = [...shares.keys()].filter((place) => (shares[place] as number) > 0)
  const nearest = (to: number) =>
    traded.reduce((best, one) => (Math.abs(one - to) < Math.abs(best - to) ? one : best), Infinity)
  if (traded.length === 0) return
  bars.high[at + nearest(top)] = high
  bars.low[at + nearest(bottom)] = low
}

/**
 * Closes of the minutes: the moves, bent so that they end at the candle's close and fill its range.
 */
function closesOf(
  { open, high, low, close }: Candle,
  returns: Float64Array,
  { onTick }: BarScale,
): Float64Array {
  const drift = Math.log(close / open) / returns.length
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length
  const wanted = Math.log(high / low)
  const spread = rangeOf(pathOf(returns, mean, drift, 1))
  const stretch = Math.min(STRETCH.max, Math.max(STRETCH.min, spread > 0 ? wanted / spread : 1))
  const path = pathOf(returns, mean, drift, stretch).map((log) => open * Math.exp(log))
  const [most, least] = [Math.max(...path, open), Math.min(...path, open)]
  const [upper, lower] = [Math.max(open, close), Math.min(open, close)]
  // Outside the candle's body, the path is scaled to the shadows.
  return path.map((px) => {
    const bent =
      px > upper
        ? upper + ((px - upper) * (high - upper)) / (most - upper)
        : px < lower
          ? lower - ((lower - px) * (lower - low)) / (lower - least)
          : px
    return Math.min(high, Math.max(low, onTick(bent)))
  })
}

function pathOf(returns: Float64Array, mean: number, drift: number, stretch: number): Float64Array {
  let log = 0
  return returns.map((one) => {
    log += (one - mean) * stretch + drift
    return log
  })
}

const rangeOf = (path: Float64Array): number => Math.max(0, ...path) - Math.min(0, ...path)

function placeOf(closes: Float64Array, extreme: (...values: number[]) => number): number {
  return closes.indexOf(extreme(...closes))
}

/**
 * Lots of each minute by weight; each needed minute has at least one. If there are too few, the
 * last minute gets all.
 */
function sharesOf(lots: number, weights: Float64Array, needed: ReadonlySet<number>): Float64Array {
  const shares = new Float64Array(weights.length)
  if (lots < needed.size) {
    shares[weights.length - 1] = lots
    return shares
  }
  const total = weights.reduce((sum, one) => sum + one, 0)
  const free = lots - needed.size
  let [weight, given] = [0, 0]
  for (const [at, one] of weights.entries()) {
    weight += one
    const until = at === weights.length - 1 ? free : Math.floor((free * weight) / total)
    shares[at] = until - given + (needed.has(at) ? 1 : 0)
    given = until
  }
  return shares
}
