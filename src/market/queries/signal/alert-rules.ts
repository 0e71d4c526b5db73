/** Rules of indicator alerts: at which bars they fire. */

import type { AlertCondition } from '../../../contract/alert-catalogue.ts'
import { raw } from '../../../decimal/quantity.ts'
import type { PriceBar } from './price-bars.ts'

/** Whether it fires when a bar closes. */
type AlertRule = (at: number) => boolean

/** The rule of an alert over some bars; alerts on a price have none. */
export function alertRule(
  { indicator, side, numbers }: AlertCondition,
  bars: readonly PriceBar[],
): AlertRule {
  if (indicator === 'price') return () => false
  return RULES[indicator](bars, side, numbers)
}

type RuleFactory = (
  bars: readonly PriceBar[],
  side: 'buy' | 'sell',
  numbers: readonly number[],
) => AlertRule

/** Bars before the first one that counts, so that averages have settled. */
export const WARM_UP = 250

const closesOf = (bars: readonly PriceBar[]) => bars.map(({ close }) => raw(close))

/** Buy when the first crosses above the second, sell when below. */
const crossingAverages =
  (one: readonly number[], other: readonly number[], side: 'buy' | 'sell'): AlertRule =>
  (at) =>
    side === 'buy' ? crossesUp(one, other, at) : crossesUp(other, one, at)

/** Buys below a line, sells above another. */
function leavingBand(
  values: readonly number[],
  low: number[],
  high: number[],
  side: 'buy' | 'sell',
) {
  return ((at) =>
    side === 'buy' ? crossesUp(low, values, at) : crossesUp(values, high, at)) satisfies AlertRule
}

const RULES: Record<Exclude<AlertCondition['indicator'], 'price'>, RuleFactory> = {
  ma: (bars, side, [fast = 5, slow = 20]) => {
    const closes = closesOf(bars)
    return crossingAverages(simpleAverage(closes, fast), simpleAverage(closes, slow), side)
  },
  ema: (bars, side, [fast = 12, slow = 26]) => {
    const closes = closesOf(bars)
    return crossingAverages(
      exponentialAverage(closes, fast),
      exponentialAverage(closes, slow),
      side,
    )
  },
  macd: (bars, side, [fast = 12, slow = 26, signal = 9]) => {
    const closes = closesOf(bars)
    const slower = exponentialAverage(closes, slow)
    const apart = exponentialAverage(closes, fast).map(
      (value, at) => value - (slower[at] as number),
    )
    return crossingAverages(apart, exponentialAverage(apart, signal), side)
  },
  kdj: (bars, side, [count = 9]) => {
    const k = smoothedAverage(stochastic(bars, count), 1 / 3)
    return crossingAverages(k, smoothedAverage(k, 1 / 3), side)
  },
  rsi: (bars, side, [count = 14, limit = 30]) => {
    const values = relativeStrength(closesOf(bars), count)
    const line = (value: number) => values.map(() => value)
    return leavingBand(values, line(limit), line(100 - limit), side)
  },
  boll: (bars, side, [count = 20, width = 2]) => {
    const closes = closesOf(bars)
    const [means, spread] = [simpleAverage(closes, count), standardDeviation(closes, count)]
    const band = (sign: number) =>
      means.map((mean, at) => mean + sign * width * (spread[at] as number))
    return leavingBand(closes, band(-1), band(1), side)
  },
  td: (bars, side) => {
    const counts = closeSequence(closesOf(bars), side === 'buy' ? -1 : 1)
    return (at) => counts[at] === 9
  },
  vol: (bars, side, [times = 3]) => {
    const usual = simpleAverage(
      bars.map(({ amount }) => raw(amount)),
      20,
    )
    return (at) => {
      const [bar, before] = [bars[at], bars[at - 1]]
      if (!bar || !before || raw(bar.amount) < times * (usual[at - 1] as number)) return false
      return side === 'buy' ? bar.close > before.close : bar.close < before.close
    }
  },
}

/** Position of each close between the lowest and the highest of the last bars, 0 to 100. */
function stochastic(bars: readonly PriceBar[], count: number): number[] {
  return bars.map(({ close }, at) => {
    const part = bars.slice(Math.max(0, at + 1 - count), at + 1)
    const low = Math.min(...part.map((bar) => raw(bar.low)))
    const high = Math.max(...part.map((bar) => raw(bar.high)))
    return high === low ? 50 : (100 * (raw(close) - low)) / (high - low)
  })
}

// Averages and derived series, one value per bar.

/** Whether one series has just crossed above another. */
const crossesUp = (one: readonly number[], other: readonly number[], at: number) =>
  at > 0 &&
  (one[at - 1] as number) <= (other[at - 1] as number) &&
  (one[at] as number) > (other[at] as number)

/** Mean of the last `count` values; of fewer at the beginning. */
function simpleAverage(values: readonly number[], count: number): number[] {
  let sum = 0
  return values.map((value, at) => {
    sum += value - (at >= count ? (values[at - count] as number) : 0)
    return sum / Math.min(count, at + 1)
  })
}

function exponentialAverage(values: readonly number[], count: number): number[] {
  return smoothedAverage(values, 2 / (count + 1))
}

/** Exponential average with weight `part` for each new value. */
function smoothedAverage(values: readonly number[], part: number): number[] {
  let average = values[0] ?? 0
  return values.map((value) => {
    average += (value - average) * part
    return average
  })
}

/** Standard deviation of the last `count` values around their mean. */
function standardDeviation(values: readonly number[], count: number): number[] {
  const means = simpleAverage(values, count)
  return values.map((_, at) => {
    const part = values.slice(Math.max(0, at + 1 - count), at + 1)
    const squares = part.reduce((sum, value) => sum + (value - (means[at] as number)) ** 2, 0)
    return Math.sqrt(squares / part.length)
  })
}

/** 0 to 100: upward share of the movement. */
function relativeStrength(closes: readonly number[], count: number): number[] {
  const moves = closes.map((close, at) => close - (closes[at - 1] ?? close))
  const ups = smoothedAverage(
    moves.map((move) => Math.max(move, 0)),
    1 / count,
  )
  const all = smoothedAverage(moves.map(Math.abs), 1 / count)
  return ups.map((up, at) => (all[at] === 0 ? 50 : (100 * up) / (all[at] as number)))
}

/** Number of consecutive closes above (below for -1) the one four bars earlier. */
export function closeSequence(closes: readonly number[], sign: 1 | -1): number[] {
  let count = 0
  return closes.map((close, at) => {
    const before = closes[at - 4]
    count = before !== undefined && (close - before) * sign > 0 ? count + 1 : 0
    return count
  })
}
