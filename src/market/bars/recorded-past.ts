/** The minutes of a past that is partly known by candles; the model makes the rest. */
import type { RandomSource } from '../../random/random-source.ts'
import { type BarColumns, sharedBars } from './bar-columns.ts'
import { type Candle, cutCandle } from './candle-cut.ts'
import type { MinuteMoves } from './minute-moves.ts'
import { type BarScale, pastBars } from './past-bars.ts'

/** Candles of one length without a gap, oldest first. */
export interface CandleRun {
  candles: readonly Candle[]
  /** Minutes of each. */
  minutesEach: number
  /** The minute of the past in which the first one begins. */
  firstMinute: number
}

/**
 * The bars of a past of as many minutes as there are moves, which leads to the scale's price.
 *
 * What lies before the candles leads to their first price, at their turnover; what lies after them
 * goes from their last price to that of the scale.
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

/** The moves, shifted so that they add up to a change. */
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
