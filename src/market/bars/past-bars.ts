/** Makes minute bars that end at a known price, from moves. */
import type { RandomSource } from '../../random/random-source.ts'
import type { MinuteMoves } from './minute-moves.ts'

/**
 * One minute bar of one instrument, and queries for any part of the minute. Parts of a bar always
 * add up to the bar, so bars add up to candles over any span.
 *
 * Prices in price units, sizes in size units, offsets in ms from the minute's start.
 */
export interface MinuteBar {
  open: number
  high: number
  low: number
  close: number
  /** Whether the high came before the low. */
  highFirst: boolean
  /** Taker buy and sell volume. */
  bought: number
  sold: number
  trades: number
}

export const BAR_MS = 60_000
/** The extremes are reached after a third and two thirds of the minute. */
const CORNER_MS = BAR_MS / 3

/** The price at an offset: linear from open over the two extremes to close. */
export function priceIn(bar: MinuteBar, offsetMs: number): number {
  const corner = Math.min(2, Math.floor(offsetMs / CORNER_MS))
  const part = offsetMs / CORNER_MS - corner
  return cornerPx(bar, corner) * (1 - part) + cornerPx(bar, corner + 1) * part
}

function cornerPx({ open, high, low, close, highFirst }: MinuteBar, corner: number): number {
  if (corner === 0) return open
  if (corner === 3) return close
  return (corner === 1) === highFirst ? high : low
}

/** First offset at which the price is at or beyond another; undefined for never. */
export function reachedIn(
  bar: MinuteBar,
  px: number,
  above: boolean,
  fromMs: number,
): number | undefined {
  if (above ? bar.high < px : bar.low > px) return undefined
  const isThere = (at: number) => (above ? at >= px : at <= px)
  let [atMs, at] = [fromMs, priceIn(bar, fromMs)]
  if (isThere(at)) return fromMs
  for (let corner = Math.floor(fromMs / CORNER_MS) + 1; corner <= 3; corner++) {
    const next = cornerPx(bar, corner)
    const lengthMs = corner * CORNER_MS - atMs
    if (isThere(next)) return Math.min(BAR_MS - 1, atMs + (lengthMs * (px - at)) / (next - at))
    ;[atMs, at] = [corner * CORNER_MS, next]
  }
  return undefined
}

/** Highest and lowest price between two offsets, both included. */
export function rangeIn(bar: MinuteBar, fromMs: number, toMs: number): [low: number, high: number] {
  if (fromMs === 0 && toMs === BAR_MS) return [bar.low, bar.high]
  const [from, to] = [priceIn(bar, fromMs), priceIn(bar, toMs)]
  let [low, high] = [Math.min(from, to), Math.max(from, to)]
  for (let corner = 1; corner <= 2; corner++) {
    if (fromMs >= corner * CORNER_MS || corner * CORNER_MS >= toMs) continue
    const price = cornerPx(bar, corner)
    low = Math.min(low, price)
    high = Math.max(high, price)
  }
  return [low, high]
}

/** Number of trades before an offset; they are spread evenly over the minute. */
export const tradesBefore = ({ trades }: MinuteBar, offsetMs: number): number =>
  Math.floor((trades * offsetMs) / BAR_MS)

/** Offset of the trade with a given index. */
export const offsetOf = ({ trades }: MinuteBar, count: number): number =>
  trades === 0 ? 0 : (count * BAR_MS) / trades

/** Share of the first trades in a whole number, in whole units. */
export const shareOf = ({ trades }: MinuteBar, total: number, count: number): number =>
  trades === 0 ? 0 : Math.floor((total * count) / trades)

/** Value of a size traded over the whole minute, price units times size units, by `areaBy`. */
export const worthOf = (size: number, area: number): number => Math.floor(size * area)

/** Area under the price up to an offset, in minutes: over the whole minute, its mean price. */
export function areaBy(bar: MinuteBar, offsetMs: number): number {
  let area = 0
  for (let corner = 0; corner < 3; corner++) {
    const lengthMs = Math.min(offsetMs - corner * CORNER_MS, CORNER_MS)
    if (lengthMs <= 0) break
    const end = priceIn(bar, corner * CORNER_MS + lengthMs)
    area += ((cornerPx(bar, corner) + end) / 2) * (lengthMs / BAR_MS)
  }
  return area
}

/** Final price and units of the bars. */
export interface BarScale {
  /** Price after the last minute, price units. */
  endPx: number
  /** Rounds to a price that can be quoted. */
  onTick: (px: number) => number
  /** Smallest step between sizes, size units. */
  lot: number
  /** Mean turnover of a minute and of a trade, in price units times size units. */
  minuteWorth: number
  tradeWorth: number
}

/** Turnover grows by both more and larger trades. */
const TRADES_EXPONENT = 0.85
/** Share of a minute's flow that follows its price. */
const FLOW_BY_MOVE = 0.55
const FLOW_HALF_LIFE_MIN = 12
const FLOW_NOISE = 0.5

/** Makes the bars of the moves. */
export function pastBars(moves: MinuteMoves, scale: BarScale, random: RandomSource): BarColumns {
  const { returns } = moves
  const bars = sharedBars(returns.length)
  let log = 0
  let close = scale.onTick(scale.endPx)
  for (let at = returns.length - 1; at >= 0; at--) {
    log -= returns[at] as number
    bars.close[at] = close
    close = scale.onTick(scale.endPx * Math.exp(log))
    bars.open[at] = close
  }
  addRanges(bars, moves, scale, random.fork('ranges'))
  addFlow(bars, moves, scale, random.fork('flow'))
  holdUntraded(bars)
  return bars
}

/**
 * Draws extremes of a random motion between open and close (the distribution of a Brownian
 * bridge's).
 */
function addRanges(
  bars: BarColumns,
  { sigma }: MinuteMoves,
  { onTick }: BarScale,
  random: RandomSource,
): void {
  for (let at = 0; at < bars.open.length; at++) {
    const [open, close] = [bars.open[at] as number, bars.close[at] as number]
    const move = Math.log(close / open)
    const variance = 2 * (sigma[at] as number) ** 2
    const up = Math.sqrt(move * move - variance * Math.log(1 - random.unit()))
    const down = Math.sqrt(move * move - variance * Math.log(1 - random.unit()))
    bars.high[at] = Math.max(open, close, onTick(open * Math.exp((move + up) / 2)))
    bars.low[at] = Math.min(open, close, onTick(open * Math.exp((move - down) / 2)))
    bars.highFirst[at] = random.unit() < (close < open ? 0.75 : 0.25) ? 1 : 0
  }
}

function addFlow(
  bars: BarColumns,
  { turnover, returns, sigma }: MinuteMoves,
  { lot, minuteWorth, tradeWorth }: BarScale,
  random: RandomSource,
): void {
  const kept = 2 ** (-1 / FLOW_HALF_LIFE_MIN)
  const [drifts, leans] = [random.normals(turnover.length), random.normals(turnover.length)]
  const flowMoved = FLOW_NOISE * Math.sqrt(1 - kept ** 2)
  let flow = 0
  for (let at = 0; at < turnover.length; at++) {
    const level = turnover[at] as number
    const expected = (minuteWorth / tradeWorth) * level ** TRADES_EXPONENT
    const trades = countAround(expected, random)
    const move = (returns[at] as number) / (sigma[at] as number)
    flow = flow * kept + flowMoved * (drifts[at] as number)
    if (trades === 0) continue
    const worth = ((minuteWorth * level) / expected) * trades
    const lots = Math.max(trades, Math.round(worth / (bars.close[at] as number) / lot))
    const lean = flow + FLOW_BY_MOVE * Math.tanh(move) + FLOW_NOISE * (leans[at] as number)
    const boughtLots = Math.round(lots / (1 + Math.exp(-lean)))
    bars.trades[at] = trades
    bars.bought[at] = boughtLots * lot
    bars.sold[at] = (lots - boughtLots) * lot
  }
}

/** Holds the price in minutes without trades; the next trade moves it on. */
function holdUntraded(bars: BarColumns): void {
  let last = bars.open[0] as number
  for (let at = 0; at < bars.trades.length; at++) {
    const trades = bars.trades[at] as number
    bars.open[at] = last
    if (trades === 0) bars.close[at] = last
    const close = bars.close[at] as number
    bars.high[at] = trades === 0 ? last : Math.max(bars.high[at] as number, last)
    bars.low[at] = trades === 0 ? last : Math.min(bars.low[at] as number, last)
    last = close
  }
}

/** From this mean on, the normal distribution is close enough for a count of trades. */
const NORMAL_FROM = 12

/** Number of independent events (Poisson distribution; the normal one for large means). */
function countAround(mean: number, random: RandomSource): number {
  if (mean > NORMAL_FROM) return Math.max(1, Math.round(mean + Math.sqrt(mean) * random.normal()))
  let [count, left] = [0, Math.exp(-mean)]
  for (let draw = random.unit(); draw > left; count++) draw *= random.unit()
  return count
}

/** Minute bars of an instrument as columns, oldest first. Units as in `MinuteBar`. */
export interface BarColumns {
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
  /** 1 where the high came before the low. */
  highFirst: Uint8Array
  /** Taker buy and sell volume. */
  bought: Float64Array
  sold: Float64Array
  trades: Float64Array
}

/** Bars of so many minutes, all zero. */
export const emptyBars = (minutes: number) => barsIn(minutes, (bytes) => new ArrayBuffer(bytes))

/** The same in shared memory, which passes to another thread without a copy. */
export const sharedBars = (minutes: number) =>
  barsIn(minutes, (bytes) => new SharedArrayBuffer(bytes))

function barsIn(minutes: number, buffer: (bytes: number) => ArrayBufferLike): BarColumns {
  const column = () => new Float64Array(buffer(minutes * Float64Array.BYTES_PER_ELEMENT))
  return {
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    highFirst: new Uint8Array(buffer(minutes)),
    bought: column(),
    sold: column(),
    trades: column(),
  }
}

/** The bar at an index. */
export function barAt(bars: BarColumns, at: number): MinuteBar {
  return {
    open: bars.open[at] as number,
    high: bars.high[at] as number,
    low: bars.low[at] as number,
    close: bars.close[at] as number,
    highFirst: bars.highFirst[at] === 1,
    bought: bars.bought[at] as number,
    sold: bars.sold[at] as number,
    trades: bars.trades[at] as number,
  }
}

/** Mean price of the whole bar at an index: equal to `areaBy` its end to the last bit. */
export function meanPxAt(bars: BarColumns, at: number): number {
  const [high, low] = [bars.high[at] as number, bars.low[at] as number]
  const highFirst = bars.highFirst[at] === 1
  const [second, third] = highFirst ? [high, low] : [low, high]
  const [first, last] = [bars.open[at] as number, bars.close[at] as number]
  let area = ((first + second) / 2) * CORNER_PART
  area += ((second + third) / 2) * CORNER_PART
  return area + ((third + last) / 2) * CORNER_PART
}

/** A quotient, so that it is rounded as `areaBy` does. */
const CORNER_PART = CORNER_MS / BAR_MS
