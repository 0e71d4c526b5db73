/** When an alert on an indicator comes true: at which of the bars. */

import type { AlertWish } from '../../../contract/alert-catalogue.ts'
import { raw } from '../../../decimal/quantity.ts'
import {
  crossesUp,
  deviation,
  exponential,
  sequence,
  simple,
  smoothed,
  strength,
} from './averages.ts'
import type { Bar } from './bars.ts'

/** Whether it comes true as a bar closes. */
type Rule = (at: number) => boolean

/** The rule of an alert over some bars; alerts on a price have none. */
export function ruleOf({ indicator, side, numbers }: AlertWish, bars: readonly Bar[]): Rule {
  if (indicator === 'price') return () => false
  return RULES[indicator](bars, side, numbers)
}

type Maker = (bars: readonly Bar[], side: 'buy' | 'sell', numbers: readonly number[]) => Rule

/** Bars that come before the first one that counts, so that averages have settled. */
export const WARM_UP = 250

const closesOf = (bars: readonly Bar[]) => bars.map(({ close }) => raw(close))

/** One above the other to buy, the other above it to sell. */
const crossing =
  (one: readonly number[], other: readonly number[], side: 'buy' | 'sell'): Rule =>
  (at) =>
    side === 'buy' ? crossesUp(one, other, at) : crossesUp(other, one, at)

/** Below a line to buy, above one to sell. */
function leaving(values: readonly number[], low: number[], high: number[], side: 'buy' | 'sell') {
  return ((at) =>
    side === 'buy' ? crossesUp(low, values, at) : crossesUp(values, high, at)) satisfies Rule
}

const RULES: Record<Exclude<AlertWish['indicator'], 'price'>, Maker> = {
  ma: (bars, side, [fast = 5, slow = 20]) => {
    const closes = closesOf(bars)
    return crossing(simple(closes, fast), simple(closes, slow), side)
  },
  ema: (bars, side, [fast = 12, slow = 26]) => {
    const closes = closesOf(bars)
    return crossing(exponential(closes, fast), exponential(closes, slow), side)
  },
  macd: (bars, side, [fast = 12, slow = 26, signal = 9]) => {
    const closes = closesOf(bars)
    const slower = exponential(closes, slow)
    const apart = exponential(closes, fast).map((value, at) => value - (slower[at] as number))
    return crossing(apart, exponential(apart, signal), side)
  },
  kdj: (bars, side, [count = 9]) => {
    const k = smoothed(stochastic(bars, count), 1 / 3)
    return crossing(k, smoothed(k, 1 / 3), side)
  },
  rsi: (bars, side, [count = 14, limit = 30]) => {
    const values = strength(closesOf(bars), count)
    const line = (value: number) => values.map(() => value)
    return leaving(values, line(limit), line(100 - limit), side)
  },
  boll: (bars, side, [count = 20, width = 2]) => {
    const closes = closesOf(bars)
    const [means, spread] = [simple(closes, count), deviation(closes, count)]
    const band = (sign: number) =>
      means.map((mean, at) => mean + sign * width * (spread[at] as number))
    return leaving(closes, band(-1), band(1), side)
  },
  td: (bars, side) => {
    const counts = sequence(closesOf(bars), side === 'buy' ? -1 : 1)
    return (at) => counts[at] === 9
  },
  vol: (bars, side, [times = 3]) => {
    const usual = simple(
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

/** Where each close lies between the lowest and the highest of the last bars, 0 to 100. */
function stochastic(bars: readonly Bar[], count: number): number[] {
  return bars.map(({ close }, at) => {
    const part = bars.slice(Math.max(0, at + 1 - count), at + 1)
    const low = Math.min(...part.map((bar) => raw(bar.low)))
    const high = Math.max(...part.map((bar) => raw(bar.high)))
    return high === low ? 50 : (100 * (raw(close) - low)) / (high - low)
  })
}
