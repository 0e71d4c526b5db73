import { add, raw, subtract, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { fundingBetween } from '../../accounting/funding.ts'
import type { Holding, SubAccount } from '../market/market-state.ts'

/** Funding paid on a holding up to now, settled or not. */
export function fundingPaid(held: Holding): Usd {
  if (!held.market.isPerp) return ZERO
  const { row, fundingIndex } = held.market
  return add(held.funding, fundingBetween(held.sz, held.fundingIndex, fundingIndex, row))
}

/** The same in floating point, for decisions, which are taken far more often than payments. */
function approximateFundingPaid(held: Holding): number {
  const { market, sz, fundingIndex, funding } = held
  if (sz === ZERO || fundingIndex === market.fundingIndex) return raw(funding)
  const step = raw(subtract(market.fundingIndex, fundingIndex))
  return raw(funding) + raw(sz) * step * market.fundingFactor
}

/** Equity of one isolated position at the market's price. */
export function isolatedEquity(held: Holding): number {
  const cost = raw(held.cost)
  const margin = Math.abs(cost) / held.leverage
  const paid = approximateFundingPaid(held) - raw(held.fundingAtOpen)
  return margin + held.market.value(held.sz) - cost - paid
}

/** Equity behind the cross positions of a perpetual account, and what it should at least be. */
export function crossMargin(account: SubAccount): { equity: number; need: number } {
  let equity = raw(account.cash)
  let need = 0
  for (const held of account.holdings) {
    const { sz, market } = held
    if (sz === ZERO) equity -= raw(held.funding)
    else if (held.isolated)
      equity -= Math.abs(raw(held.cost)) / held.leverage + raw(held.fundingAtOpen)
    else {
      const value = market.value(sz)
      equity += value - raw(held.cost) - approximateFundingPaid(held)
      need += Math.abs(value) * market.marginCushion
    }
  }
  return { equity, need }
}
