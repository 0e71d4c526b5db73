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
    changes: 0,
    marginAlarm: null,
    targetPx: null,
    stopPx: null,
    partlyLiquidated: false,
  }
}

function marginSettings({ agent }: SubAccount, market: MarketState, random: RandomSource) {
  const { isPerp, row } = market
  if (!isPerp) return { leverage: 1, isolated: false }
  const { leverage, isolation } = agent.style
  const isolated = random.chance(isolation)
  // On cross margin the setting only limits what is opened; on isolated it is what is borrowed.
  const wanted = leverage * (isolated ? 0.8 + 0.4 * random.unit() : 1 + 0.3 * random.unit())
  return { leverage: Math.max(1, Math.min(row.maxLeverage, Math.round(wanted))), isolated }
}
