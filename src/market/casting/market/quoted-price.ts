import { MINUTE_MS } from '../../../clock/durations.ts'
import { type Px, px as price, raw, type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { Venue } from '../venue.ts'
import type { Holding, MarketState } from './market-state.ts'

/** Half of the spread: a part of the price, and of a minute's deviation. */
const HALF_SPREAD = { fixed: 0.00008, byDeviation: 0.22 }

/** Half of the spread that takers pay, against the price. */
export function halfSpread({ memory }: MarketState): number {
  return HALF_SPREAD.fixed + HALF_SPREAD.byDeviation * memory.deviation(MINUTE_MS)
}

/** A price at which a maker offers to buy or sell. */
export function quotedPx(market: MarketState, side: 'B' | 'A'): Px {
  const away = halfSpread(market)
  const step = market.stepAt(raw(market.px))
  const now = raw(market.px)
  const rounded = raw(market.onTick(now * (side === 'B' ? 1 - away : 1 + away)))
  const px = side === 'B' ? Math.min(rounded, now - step) : Math.max(rounded, now + step)
  return price(Math.max(1, px))
}

/** Offers at the best price of one side, for an instant. */
export function quoteOnce(
  venue: Venue,
  holding: Holding,
  side: 'B' | 'A',
  sz: Sz,
  timeMs: number,
): void {
  const { market } = holding
  const offer = (of: 'B' | 'A') => ({ px: quotedPx(market, of), sz: of === side ? sz : ZERO })
  venue.quote({ holding, bid: offer('B'), ask: offer('A') }, timeMs)
}
