import { add, raw, subtract, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { fundingBetween } from '../../accounting/funding.ts'
import type { Holding, SubAccount } from '../market/market-state.ts'

/** Funding paid on a holding up to now, settled or not. */
export function fundingPaid(holding: Holding): Usd {
  if (!holding.market.isPerp) return ZERO
  const { row, fundingIndex } = holding.market
  return add(holding.funding, fundingBetween(holding.sz, holding.fundingIndex, fundingIndex, row))
}

/** The same in floating point, for decisions, which are taken far more often than payments. */
function approximateFundingPaid(holding: Holding): number {
  const { market, sz, fundingIndex, funding } = holding
  if (sz === ZERO || fundingIndex === market.fundingIndex) return raw(funding)
  const step = raw(subtract(market.fundingIndex, fundingIndex))
  return raw(funding) + raw(sz) * step * market.fundingFactor
}

/** Equity of one isolated position at the market's price; funding is settled as it changes. */
export function isolatedEquity(holding: Holding): number {
  const cost = raw(holding.cost)
  const margin = Math.abs(cost) / holding.leverage
  const paid = approximateFundingPaid(holding) - raw(holding.funding)
  return margin + holding.market.marginValue(holding.sz) - cost - paid
}

/** What stands behind the cross positions of a perpetual account, micro-dollars. */
export interface CrossMargin {
  equity: number
  /** What the venue wants at least, and what it wants for opening them. */
  maintenance: number
  initial: number
  /** Cross positions that are open. */
  positions: number
}

export function crossMargin(account: SubAccount): CrossMargin {
  const sums = { equity: raw(account.cash), maintenance: 0, initial: 0, positions: 0 }
  for (const holding of account.holdings) {
    const { sz, market } = holding
    if (sz === ZERO) sums.equity -= raw(holding.funding)
    else if (holding.isolated)
      sums.equity -= Math.abs(raw(holding.cost)) / holding.leverage + raw(holding.funding)
    else {
      const value = market.marginValue(sz)
      sums.equity += value - raw(holding.cost) - approximateFundingPaid(holding)
      sums.maintenance += Math.abs(value) * market.maintenanceRate
      sums.initial += Math.abs(value) / holding.leverage
      sums.positions++
    }
  }
  return sums
}

/** All that an account is worth, isolated positions included. */
export function accountEquity(account: SubAccount): number {
  let equity = crossMargin(account).equity
  for (const holding of account.holdings)
    if (holding.isolated && holding.sz !== ZERO) equity += isolatedEquity(holding)
  return equity
}
