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

/** How much an account had borrowed that is liquidated. */
export const FORCED_LEVERAGE = { least: 4, most: 40 }

/** Minutes of an instrument, oldest first: the lowest and the highest price of each. */
export interface PriceRanges {
  low: ArrayLike<number>
  high: ArrayLike<number>
}

/** A position was opened at most so many minutes before it is liquidated. */
export const FORCED_MINUTES = 3 * 1440
/** It has lost at least so much of the initial margin at the highest leverage, if that can be. */
const LOST_LEAST = 0.5

/**
 * A position of the crowd as it was before its liquidation at a mark price: it has lost what was
 * behind it, and was opened at a price that the market had. null where none was better than the
 * mark price in all the minutes.
 *
 * @param share from 0 to 1, of how differently much is lost
 * @param end how many of the minutes came before the liquidation
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

/** A position of signed size that was opened at one price. */
export function positionAt(row: InstrumentRow, held: Sz, entry: Px): NetPosition {
  return { sz: held, cost: times(notionalOf(entry, absolute(held), row), sign(held)) }
}

/**
 * The price of a minute at which a position was opened: the latest that has lost what is wanted, or
 * else the best. It is one from which the price has not been beyond the mark price since, if any of
 * those has lost enough: nothing liquidated the position on the way. Price units.
 */
function entryAmong(
  { low, high }: PriceRanges,
  end: number,
  mark: number,
  side: number,
  wanted: { px: number; least: number },
): number | null {
  // Of a short position the highest prices are the worst: they are looked at upside down.
  const [worst, better] = side > 0 ? [low, high] : [high, low]
  const aim = wanted.px * side
  const limit = mark * side
  let best = limit
  let isCrossed = false
  for (let at = end - 1; at >= Math.max(0, end - FORCED_MINUTES); at--) {
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

/** What it is after so much of it was closed, and what that came to. */
export function afterClosing(position: NetPosition, sz: Sz, notional: Usd) {
  return afterFill(position, position.sz > ZERO ? negate(sz) : sz, notional)
}
