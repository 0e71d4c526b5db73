import { absolute, lesser, raw, subtract, ZERO } from '../../../decimal/quantity.ts'
import type { Holding } from '../market/market-state.ts'
import type { LiveOrder } from '../matching/order-manager.ts'
import type { Venue } from '../venue.ts'

/** The stop or target of a position that rests for a price. */
export const triggerAt = ({ triggers }: Holding, px: number): LiveOrder | undefined =>
  triggers.find(
    ({ endMs, triggerPx }) => endMs === null && triggerPx !== null && raw(triggerPx) === px,
  )

/** It becomes a market order: filled from now on, and not cancelled with what it closes. */
export function fireTrigger(
  venue: Venue,
  holding: Holding,
  order: LiveOrder,
  timeMs: number,
): void {
  const held = absolute(holding.sz)
  if (held === ZERO || holding.account.awaitsLiquidation) return
  holding.triggers = holding.triggers.filter((one) => one !== order)
  const side = holding.sz > ZERO ? 'A' : 'B'
  const sz = lesser(held, subtract(order.origSz, order.filledSz))
  venue.submit({ holding, side, sz, reduceOnly: true, limitPx: null, order }, timeMs)
}
