import { ZERO } from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import type { Holding, Market, Purse } from './market.ts'

/** Nothing of an instrument yet, with the terms that its owner sets for it. */
export function beginHolding(purse: Purse, market: Market, dice: Dice): Holding {
  return {
    purse,
    market,
    sz: ZERO,
    cost: ZERO,
    funding: ZERO,
    fundingAtOpen: ZERO,
    fundingIndex: ZERO,
    ...termsOf(purse, market, dice),
    position: null,
    triggers: [],
    dueMs: Number.POSITIVE_INFINITY,
    queued: false,
  }
}

function termsOf({ trader: { role } }: Purse, { perp, row }: Market, dice: Dice) {
  if (!perp) return { leverage: 1, isolated: false }
  const { maxLeverage } = row
  const high = Math.max(1, Math.min(maxLeverage, role === 'maker' ? 10 : 25))
  const careful = role !== 'maker' && dice.chance(0.14)
  const isolated = careful && role !== 'liquidated' && role !== 'whale'
  const leverage = isolated
    ? Math.min(dice.between(2, 3), maxLeverage)
    : Math.min(maxLeverage, dice.pick([3, 5, 10, 10, 20, high]))
  return { leverage, isolated }
}
