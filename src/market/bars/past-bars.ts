/** Minute bars up to a known price, out of moves. */
import type { RandomSource } from '../../random/random-source.ts'
import { type BarColumns, sharedBars } from './bar-columns.ts'
import type { MinuteMoves } from './minute-moves.ts'

/** What the bars lead to and are measured in. */
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

/** Turnover grows by more trades and by larger ones. */
const TRADES_EXPONENT = 0.85
/** How much of a minute's flow goes with its price. */
const FLOW_BY_MOVE = 0.55
const FLOW_HALF_LIFE_MIN = 12
const FLOW_NOISE = 0.5

/** The bars of the moves. */
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

/** Extremes of a random motion between open and close (the law of a Brownian bridge's). */
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

/** Where nothing is traded the price stays; the next trade takes it to where it has gone. */
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

/** From so many on the two laws are near enough for a count of trades. */
const NORMAL_FROM = 12

/** A whole number of independent events (Poisson's law; the normal one where there are many). */
function countAround(mean: number, random: RandomSource): number {
  if (mean > NORMAL_FROM) return Math.max(1, Math.round(mean + Math.sqrt(mean) * random.normal()))
  let [count, left] = [0, Math.exp(-mean)]
  for (let draw = random.unit(); draw > left; count++) draw *= random.unit()
  return count
}
