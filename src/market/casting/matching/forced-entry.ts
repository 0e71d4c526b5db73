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

/**
 * A position of the crowd as it was before its liquidation at a mark price: it has lost what was
 * behind it.
 *
 * @param share from 0 to 1, of how differently much is lost
 */
export function forcedPosition(
  row: InstrumentRow,
  markPx: Px,
  held: Sz,
  leverage: number,
  share: number,
): NetPosition {
  const loss = (0.75 + 0.3 * share) / Math.min(row.maxLeverage, leverage)
  const entry = nearestPrice(row, raw(markPx) * (1 + loss * sign(held)))
  return { sz: held, cost: times(notionalOf(entry, absolute(held), row), sign(held)) }
}

/** What it is after so much of it was closed, and what that came to. */
export function afterClosing(position: NetPosition, sz: Sz, notional: Usd) {
  return afterFill(position, position.sz > ZERO ? negate(sz) : sz, notional)
}
