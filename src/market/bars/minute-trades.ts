/** Splits a minute bar into single trades. */
import type { RandomSource } from '../../random/random-source.ts'
import { BAR_MS, type MinuteBar, priceIn } from './past-bars.ts'

/** Prices in price units, sizes in size units. */
export interface MinuteTrade {
  /** Whole ms from the minute's start. */
  offsetMs: number
  isBuy: boolean
  px: number
  size: number
}

/** Spread of the log-normal sizes. */
const SIZE_SPREAD = 1.3
/** Share of trades in the same ms as the one before: one order fills several. */
const SAME_ORDER = 0.35

/**
 * Draws trades that have the bar's counts and sizes, in order of time: four or more lead from its
 * open over both extremes to its close, fewer stay within its range.
 *
 * @param lot smallest step between sizes; the bar's are multiples of it
 */
export function minuteTrades(bar: MinuteBar, lot: number, random: RandomSource): MinuteTrade[] {
  const { bought, sold, trades } = bar
  if (trades === 0) return []
  const buys = buysOf(bar, lot)
  const sizes = {
    buy: sizesOf(bought / lot, buys, random).map((lots) => lots * lot),
    sell: sizesOf(sold / lot, trades - buys, random).map((lots) => lots * lot),
  }
  const offsets = offsetsOf(trades, random)
  const prices = pricesAt(bar, offsets)
  let wasBuy = false
  return offsets.map((offsetMs, at) => {
    const left = sizes.buy.length + sizes.sell.length
    const isSame = at > 0 && offsetMs === offsets[at - 1]
    const wanted = isSame ? wasBuy : random.unit() * left < sizes.buy.length
    const isBuy = wanted ? sizes.buy.length > 0 : sizes.sell.length === 0
    wasBuy = isBuy
    const size = (isBuy ? sizes.buy : sizes.sell).pop() as number
    return { offsetMs, isBuy, px: prices[at] as number, size }
  })
}

function pricesAt(bar: MinuteBar, offsets: readonly number[]): number[] {
  const prices = offsets.map((offsetMs) => priceIn(bar, offsetMs))
  const last = offsets.length - 1
  if (last < 3) return prices
  // The trades nearest to the corners of the bar's path.
  const first = Math.max(
    1,
    Math.min(
      last - 2,
      offsets.findIndex((offset) => offset >= BAR_MS / 3),
    ),
  )
  const after = offsets.findIndex((offset, at) => at > first && offset >= (2 * BAR_MS) / 3)
  const second = after < 0 ? last - 1 : Math.min(last - 1, after)
  prices[0] = bar.open
  prices[first] = bar.highFirst ? bar.high : bar.low
  prices[second] = bar.highFirst ? bar.low : bar.high
  prices[last] = bar.close
  return prices
}

/**
 * Splits counts into buys and sells: at least one lot for each trade and one trade for each nonzero
 * side, as far as possible.
 */
function buysOf({ bought, sold, trades }: MinuteBar, lot: number): number {
  const part = Math.round((trades * bought) / (bought + sold))
  const least = Math.max(Math.min(1, bought), trades - sold / lot)
  const most = Math.min(bought / lot, trades - Math.min(1, sold))
  return Math.min(trades, Math.max(least, Math.min(part, most)))
}

/** Splits a number of lots into parts of one lot or more. */
function sizesOf(lots: number, parts: number, random: RandomSource): number[] {
  if (parts === 0) return []
  const weights = Array.from({ length: parts }, () => Math.exp(SIZE_SPREAD * random.normal()))
  const total = weights.reduce((sum, one) => sum + one, 0)
  const spare = Math.max(0, lots - parts)
  const sizes = weights.map((weight) => 1 + Math.floor((spare * weight) / total))
  const largest = sizes.indexOf(Math.max(...sizes))
  const given = sizes.reduce((sum, one) => sum + one, 0)
  sizes[largest] = (sizes[largest] as number) + lots - given
  return sizes
}

function offsetsOf(count: number, random: RandomSource): number[] {
  const offsets = Array.from({ length: count }, () => random.between(0, BAR_MS - 1))
  offsets.sort((a, b) => a - b)
  for (let at = 1; at < count; at++)
    if (random.chance(SAME_ORDER)) offsets[at] = offsets[at - 1] as number
  return offsets
}
