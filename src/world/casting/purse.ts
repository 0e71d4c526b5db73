import { fundingIndex as index, raw, sz } from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import type { Holding, Purse } from './market.ts'

/** Funding paid on a holding up to now, settled or not. */
export function fundingPaid(held: Holding): number {
  if (!held.market.perp) return 0
  const { row, fundingIndex } = held.market
  return (
    held.funding +
    raw(fundingBetween(sz(held.sz), index(held.fundingIndex), index(fundingIndex), row))
  )
}

/** The same in floating point, for decisions, which are taken far more often than payments. */
function roughlyPaid(held: Holding): number {
  const { market, sz, fundingIndex, funding } = held
  if (sz === 0 || fundingIndex === market.fundingIndex) return funding
  return funding + sz * (market.fundingIndex - fundingIndex) * market.fundingFactor
}

/** Equity of one isolated position at the market's price. */
export function isolatedEquity(held: Holding): number {
  const margin = Math.abs(held.cost) / held.leverage
  return margin + held.market.value(held.sz) - held.cost - (roughlyPaid(held) - held.fundingAtOpen)
}

/** Equity behind the cross positions of a perpetual account, and what it should at least be. */
export function cross(purse: Purse): { equity: number; need: number } {
  let equity = purse.cash
  let need = 0
  for (const held of purse.holdings) {
    const { sz, market } = held
    if (sz === 0) equity -= held.funding
    else if (held.isolated) equity -= Math.abs(held.cost) / held.leverage + held.fundingAtOpen
    else {
      const value = market.value(sz)
      equity += value - held.cost - roughlyPaid(held)
      need += Math.abs(value) * market.cushion
    }
  }
  return { equity, need }
}
