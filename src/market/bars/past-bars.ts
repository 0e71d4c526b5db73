/** Makes minute bars that end at a known price, from moves. */
import { type RandomSource, randomSource } from '../../random/random-source.ts'
import type { MinuteMoves } from './minute-moves.ts'

export const BAR_MS = 60_000

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

/** Parts of each of the three legs of the price: open, first extreme, second, close. */
const LEG_PARTS = 8
/** The extremes are reached after a third and two thirds of the minute's size. */
const LEG_SHARE = BAR_MS / 3
const PART_SHARE = LEG_SHARE / LEG_PARTS
const PARTS = 3 * LEG_PARTS

/** The price at an offset: from open over the two extremes to close, as the size is traded. */
export const priceIn = (bar: MinuteBar, offsetMs: number): number =>
  pxAt(bar, shapeOf(bar), offsetMs)

const pxAt = (bar: MinuteBar, shape: MinuteShape, offsetMs: number): number =>
  pxBy(bar, shape, shareBy(shape.sizes, offsetMs))

/** The price once a share of the minute's size is traded: linear between the parts of the legs. */
function pxBy(bar: MinuteBar, shape: MinuteShape, share: number): number {
  const at = Math.min(PARTS - 1, Math.floor(share / PART_SHARE))
  const part = share / PART_SHARE - at
  return knotPx(bar, shape, at) * (1 - part) + knotPx(bar, shape, at + 1) * part
}

function knotPx(bar: MinuteBar, shape: MinuteShape, at: number): number {
  const leg = Math.floor(at / LEG_PARTS)
  const place = at - leg * LEG_PARTS
  if (place === 0) return cornerPx(bar, leg)
  const part = shape.legs[leg]?.[place] as number
  return cornerPx(bar, leg) * (1 - part) + cornerPx(bar, leg + 1) * part
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
  const shape = shapeOf(bar)
  const { sizes } = shape
  const isThere = (at: number) => (above ? at >= px : at <= px)
  let share = shareBy(sizes, fromMs)
  let at = pxBy(bar, shape, share)
  if (isThere(at)) return fromMs
  for (let knot = Math.floor(share / PART_SHARE) + 1; knot <= PARTS; knot++) {
    const next = knotPx(bar, shape, knot)
    const length = knot * PART_SHARE - share
    if (isThere(next)) {
      const reachedMs = offsetBy(sizes, share + (length * (px - at)) / (next - at))
      return Math.max(fromMs, Math.min(BAR_MS - 1, reachedMs))
    }
    ;[share, at] = [knot * PART_SHARE, next]
  }
  return undefined
}

/** Highest and lowest price between two offsets, both included. */
export function rangeIn(bar: MinuteBar, fromMs: number, toMs: number): [low: number, high: number] {
  if (fromMs === 0 && toMs === BAR_MS) return [bar.low, bar.high]
  const shape = shapeOf(bar)
  const first = shareBy(shape.sizes, fromMs)
  const last = shareBy(shape.sizes, toMs)
  const from = pxBy(bar, shape, first)
  const to = pxBy(bar, shape, last)
  let low = Math.min(from, to)
  let high = Math.max(from, to)
  for (let knot = Math.floor(first / PART_SHARE) + 1; knot * PART_SHARE < last; knot++) {
    const price = knotPx(bar, shape, knot)
    low = Math.min(low, price)
    high = Math.max(high, price)
  }
  return [low, high]
}

/** Number of trades before an offset. */
export const tradesBefore = (bar: MinuteBar, offsetMs: number): number =>
  Math.floor((bar.trades * shareBy(shapeOf(bar).counts, offsetMs)) / BAR_MS)

/** Offset of the trade with a given index. */
export const offsetOf = (bar: MinuteBar, count: number): number =>
  bar.trades === 0 ? 0 : offsetBy(shapeOf(bar).counts, (count * BAR_MS) / bar.trades)

/** Share of the first trades in a whole number, in whole units. */
export function shareOf(bar: MinuteBar, total: number, count: number): number {
  if (bar.trades === 0) return 0
  if (count === bar.trades) return total
  return Math.floor((total * shareBy(shapeOf(bar).sizes, offsetOf(bar, count))) / BAR_MS)
}

/** Value of a size traded over the whole minute, price units times size units, by `areaBy`. */
export const worthOf = (size: number, area: number): number => Math.floor(size * area)

/** Area under the price by the size traded up to an offset: of the whole minute, its mean price. */
export function areaBy(bar: MinuteBar, offsetMs: number): number {
  const shape = shapeOf(bar)
  const share = shareBy(shape.sizes, offsetMs)
  const legs = Math.floor(share / LEG_SHARE)
  let area = 0
  for (let leg = 0; leg < legs; leg++)
    area += ((cornerPx(bar, leg) + cornerPx(bar, leg + 1)) / 2) * CORNER_PART
  let px = cornerPx(bar, legs)
  for (let knot = legs * LEG_PARTS; knot * PART_SHARE < share; knot++) {
    const fromShare = knot * PART_SHARE
    const isWhole = fromShare + PART_SHARE <= share
    const next = isWhole ? knotPx(bar, shape, knot + 1) : pxBy(bar, shape, share)
    area += ((px + next) / 2) * ((isWhole ? PART_SHARE : share - fromShare) / BAR_MS)
    px = next
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

/** Trades of a busy minute of the largest exchanges; of more volume they are larger. */
export const TRADES_MOST = 20_000

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
  moveOpens(bars, moves, scale, random.fork('opens'))
  addRanges(bars, moves, scale, random.fork('ranges'))
  addFlow(bars, moves, scale, random.fork('flow'))
  holdUntraded(bars)
  return bars
}

/** Part of a minute's deviation between the last trade of a minute and the first of the next. */
const OPEN_SPREAD = 0.055

function moveOpens(
  bars: BarColumns,
  { sigma }: MinuteMoves,
  { onTick }: BarScale,
  random: RandomSource,
): void {
  const gaps = random.normals(bars.open.length)
  for (let at = 0; at < gaps.length; at++) {
    const gap = OPEN_SPREAD * (sigma[at] as number) * (gaps[at] as number)
    bars.open[at] = onTick((bars.open[at] as number) * (1 + gap))
  }
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
    const usual = (minuteWorth / tradeWorth) * level ** TRADES_EXPONENT
    const expected = Math.min(TRADES_MOST, usual)
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
    if (bars.trades[at] === 0)
      for (const column of [bars.open, bars.high, bars.low, bars.close]) column[at] = last
    last = bars.close[at] as number
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
export interface BarColumns<Column = Float64Array> {
  open: Column
  high: Column
  low: Column
  close: Column
  /** 1 where the high came before the low. */
  highFirst: Uint8Array
  /** Taker buy and sell volume. */
  bought: Column
  sold: Column
  trades: Column
}

/** A column to be read: 32 bits a value where all fit. */
export type KeptColumn = Int32Array | Float64Array

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
export function barAt(bars: BarColumns<KeptColumn>, at: number): MinuteBar {
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
export function meanPxAt(bars: BarColumns<KeptColumn>, at: number): number {
  const [high, low] = [bars.high[at] as number, bars.low[at] as number]
  const highFirst = bars.highFirst[at] === 1
  const [second, third] = highFirst ? [high, low] : [low, high]
  const [first, last] = [bars.open[at] as number, bars.close[at] as number]
  let area = ((first + second) / 2) * CORNER_PART
  area += ((second + third) / 2) * CORNER_PART
  return area + ((third + last) / 2) * CORNER_PART
}

/** A quotient, so that it is rounded as `areaBy` does. */
const CORNER_PART = LEG_SHARE / BAR_MS

// How trading goes within a minute: in bursts, with sizes that differ, along a rough path. A bar
// has one of some shapes, by its prices, so that its parts need no storage.

/** A shape has a knot each second, and straight lines between them. */
const SECOND_MS = 1000
const SECONDS = BAR_MS / SECOND_MS

export interface MinuteShape {
  /** Share of the minute's trades by each second, in 60,000ths. */
  counts: Float64Array
  /** The same of its size; the price follows it. */
  sizes: Float64Array
  /** Part of the way of each leg, by eighths of its size. */
  legs: readonly [Float64Array, Float64Array, Float64Array]
}

/** The shape of a bar. */
export function shapeOf(bar: { open: number; high: number; low: number; close: number }) {
  const hash = mixed(mixed(mixed(mixed(0x811c9dc5, bar.open), bar.high), bar.low), bar.close)
  const at = (hash >>> 8) % SHAPES_COUNT
  const known = SHAPES[at]
  if (known) return known
  const shape = shapeAt(at)
  SHAPES[at] = shape
  return shape
}

function mixed(hash: number, px: number): number {
  const product = Math.imul(hash ^ px, 0x9e3779b1)
  return product ^ (product >>> 15)
}

/** Share by an offset from the minute's start, in 60,000ths. */
function shareBy(shares: Float64Array, offsetMs: number): number {
  const second = Math.min(SECONDS - 1, Math.floor(offsetMs / SECOND_MS))
  const [from, to] = [shares[second] as number, shares[second + 1] as number]
  return from + ((to - from) * (offsetMs - second * SECOND_MS)) / SECOND_MS
}

/** The offset by which a share is reached, to a millionth of a ms. */
function offsetBy(shares: Float64Array, share: number): number {
  let [low, high] = [0, SECONDS - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shares[middle + 1] as number) >= share) high = middle
    else low = middle + 1
  }
  const [from, to] = [shares[low] as number, shares[low + 1] as number]
  const offsetMs = low * SECOND_MS + (SECOND_MS * (share - from)) / (to - from)
  return Math.round(offsetMs * 1e6) / 1e6
}

const SHAPES_COUNT = 512
/** Log-normal spreads of a second's trades, and of their mean size. */
const COUNT_SPREAD = 0.8
const SIZE_SPREAD = 0.9
/** How far the price strays from a straight line, in parts of a leg. */
const STRAY = 0.3

/** Made on first use: all of them take a tenth of a start. */
const SHAPES: (MinuteShape | null)[] = Array.from({ length: SHAPES_COUNT }, () => null)

function shapeAt(at: number): MinuteShape {
  const random = randomSource('minute', `shape ${at}`)
  const seconds = Array.from({ length: SECONDS }, () => Math.exp(COUNT_SPREAD * random.normal()))
  const sizes = seconds.map((count) => count * Math.exp(SIZE_SPREAD * random.normal()))
  const leg = () => legOf(Array.from({ length: LEG_PARTS / 2 - 1 }, () => STRAY * random.normal()))
  return { counts: sharesOf(seconds), sizes: sharesOf(sizes), legs: [leg(), leg(), leg()] }
}

/** Whole 60,000ths, at least one a second. */
function sharesOf(weights: readonly number[]): Float64Array {
  const shares = new Float64Array(SECONDS + 1)
  const total = weights.reduce((sum, one) => sum + one, 0)
  let sum = 0
  for (let at = 1; at < SECONDS; at++) {
    sum += weights[at - 1] as number
    const share = Math.round(((BAR_MS - SECONDS) * sum) / total) + at
    shares[at] = share
  }
  shares[SECONDS] = BAR_MS
  return shares
}

/** Point-symmetric, so that its mean is that of a straight line. */
function legOf(strays: readonly number[]): Float64Array {
  const leg = new Float64Array(LEG_PARTS + 1)
  leg[LEG_PARTS / 2] = 0.5
  leg[LEG_PARTS] = 1
  for (const [at, stray] of strays.entries()) {
    const part = Math.min(1, Math.max(0, (at + 1) / LEG_PARTS + stray))
    leg[at + 1] = part
    leg[LEG_PARTS - 1 - at] = 1 - part
  }
  return leg
}
