import {
  absolute,
  negate,
  type Px,
  raw,
  type Sz,
  sign,
  times,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { afterFill, type NetPosition, notionalOf } from '../../accounting/position.ts'
import { nearestPrice } from '../../schema/price-step.ts'
import type { InstrumentRow } from '../../schema/schema.ts'

/** Leverage of liquidated accounts. */
export const FORCED_LEVERAGE = { least: 4, most: 40 }

/** Minutes of a block, whose extremes are kept: most searches go through days of minutes. */
const BLOCK = 64

/** Lowest and highest price of each minute of an instrument, oldest first. */
export class PriceRanges {
  private readonly lows: Float64Array
  private readonly highs: Float64Array

  constructor(
    readonly low: ArrayLike<number>,
    readonly high: ArrayLike<number>,
  ) {
    const blocks = Math.floor(low.length / BLOCK)
    this.lows = new Float64Array(blocks).fill(Number.NaN)
    this.highs = new Float64Array(blocks)
  }

  /** Lowest price of a whole block. */
  lowOf(block: number): number {
    const known = this.lows[block] as number
    return Number.isNaN(known) ? this.find(block).low : known
  }

  /** Highest price of a whole block. */
  highOf(block: number): number {
    return Number.isNaN(this.lows[block]) ? this.find(block).high : (this.highs[block] as number)
  }

  private find(block: number): { low: number; high: number } {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let at = block * BLOCK; at < (block + 1) * BLOCK; at++) {
      low = Math.min(low, this.low[at] as number)
      high = Math.max(high, this.high[at] as number)
    }
    this.lows[block] = low
    this.highs[block] = high
    return { low, high }
  }
}

/** Longest life of a position before its liquidation, minutes. */
export const FORCED_MINUTES = 3 * 1440
/** Minimum loss as a share of the initial margin at the highest leverage, where possible. */
const LOST_LEAST = 0.5

/**
 * A crowd position before its liquidation at a mark price: it has lost its margin, and was opened
 * at a price that the market had. null where no price in all the minutes was better than the mark
 * price.
 *
 * @param share from 0 to 1, selects the size of the loss
 * @param end number of minutes before the liquidation
 */
export function forcedPosition(
  row: InstrumentRow,
  liquidated: { markPx: Px; held: Sz; leverage: number; share: number },
  ranges: PriceRanges,
  end: number = ranges.low.length,
): NetPosition | null {
  const { markPx, held, leverage, share } = liquidated
  const side = sign(held)
  const mark = raw(markPx)
  const lost = (0.75 + 0.3 * share) / Math.min(row.maxLeverage, leverage)
  const wanted = { px: mark * (1 + lost * side), least: (LOST_LEAST / row.maxLeverage) * mark }
  const found = entryAmong(ranges, end, mark, side, wanted)
  return found === null ? null : positionAt(row, held, nearestPrice(row, found))
}

/** A position of signed size opened at one price. */
export function positionAt(row: InstrumentRow, held: Sz, entry: Px): NetPosition {
  return { sz: held, cost: times(notionalOf(entry, absolute(held), row), sign(held)) }
}

/**
 * Price of the minute at which a position was opened: the latest that has lost enough, else the
 * best. If any qualifies, it is one since which the price has not been beyond the mark price, so
 * that nothing liquidated the position earlier. Price units.
 */
function entryAmong(
  ranges: PriceRanges,
  end: number,
  mark: number,
  side: number,
  wanted: { px: number; least: number },
): number | null {
  // A short position's worst prices are the highest: negation treats both sides alike.
  const [worst, better] = side > 0 ? [ranges.low, ranges.high] : [ranges.high, ranges.low]
  const aim = wanted.px * side
  const limit = mark * side
  const from = Math.max(0, end - FORCED_MINUTES)
  let best = limit
  let isCrossed = false
  for (let at = end - 1; at >= from; at--) {
    if (at % BLOCK === BLOCK - 1 && at - BLOCK + 1 >= from) {
      const block = Math.floor(at / BLOCK)
      const least = side > 0 ? ranges.lowOf(block) : -ranges.highOf(block)
      const most = side > 0 ? ranges.highOf(block) : -ranges.lowOf(block)
      if (most < aim && (isCrossed || least >= limit)) {
        best = Math.max(best, most)
        at -= BLOCK - 1
        continue
      }
    }
    const [least, most] = [(worst[at] as number) * side, (better[at] as number) * side]
    if (!isCrossed && least < limit) {
      isCrossed = true
      if (best - limit >= wanted.least) break
    }
    if (most >= aim) return Math.max(least, aim) * side
    if (most > best) best = most
  }
  return best > limit ? best * side : null
}

/** The position after a part was closed at a notional. */
export function afterClosing(position: NetPosition, sz: Sz, notional: Usd) {
  return afterFill(position, position.sz > ZERO ? negate(sz) : sz, notional)
}
