import { ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Holding, MarketState, SubAccount } from '../market/market-state.ts'

/** An empty holding, with the leverage and margin mode that its owner sets. */
export function beginHolding(
  account: SubAccount,
  market: MarketState,
  random: RandomSource,
): Holding {
  return {
    account,
    market,
    sz: ZERO,
    cost: ZERO,
    funding: ZERO,
    fundingAtOpen: ZERO,
    fundingIndex: ZERO,
    ...marginSettings(account, market, random),
    position: null,
    triggers: [],
    exitMs: Number.POSITIVE_INFINITY,
    isQueued: false,
  }
}

function marginSettings(
  { agent: { role } }: SubAccount,
  { isPerp, row }: MarketState,
  random: RandomSource,
) {
  if (!isPerp) return { leverage: 1, isolated: false }
  const { maxLeverage } = row
  const high = Math.max(1, Math.min(maxLeverage, role === 'maker' ? 10 : 25))
  const careful = role !== 'maker' && random.chance(0.14)
  const isolated = careful && role !== 'liquidated' && role !== 'whale'
  const leverage = isolated
    ? Math.min(random.between(2, 3), maxLeverage)
    : Math.min(maxLeverage, random.pick([3, 5, 10, 10, 20, high]))
  return { leverage, isolated }
}
