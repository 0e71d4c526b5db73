import {
  add,
  type FundingIndex,
  raw,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import type { Market } from './market.ts'
import type { Resting } from './order-room.ts'
import type { Trader } from './people.ts'

/** One account of a trader while the story is being written: main dex, a builder dex, or spot. */
export interface Purse {
  id: number
  trader: Trader
  /** '' main, the builder dex's name, or 'spot'. */
  dex: string
  /** In less out, plus realised PnL, less fees; funding left out. */
  cash: Usd
  realised: Usd
  /** Time of its latest row: nothing may be dated before it. */
  lastMs: number
  holdings: Holding[]
  /** Meant to be liquidated: nobody tops it up. */
  doomed: boolean
}

/** What a trader holds of one instrument. */
export interface Holding {
  purse: Purse
  market: Market
  sz: Sz
  cost: Usd
  funding: Usd
  fundingAtOpen: Usd
  fundingIndex: FundingIndex
  leverage: number
  isolated: boolean
  position: OpenPosition | null
  /** When its owner means to be out of it; `queued` while it waits in one of the market's lists. */
  dueMs: number
  queued: boolean
  /** Take-profit and stop orders that hang on the position. */
  triggers: Resting[]
}

/** A position that is not closed yet: the sums of its row. */
export interface OpenPosition {
  id: number
  long: boolean
  openMs: number
  openFill: number
  maxSz: Sz
  openSz: Sz
  openNotional: Usd
  closeSz: Sz
  closeNotional: Usd
  closedPnl: Usd
  fees: Usd
  fundingBefore: Usd
  liquidation: number | null
}

/** Funding paid on a holding up to now, settled or not. */
export function fundingPaid(held: Holding): Usd {
  if (!held.market.perp) return ZERO
  const { row, fundingIndex } = held.market
  return add(held.funding, fundingBetween(held.sz, held.fundingIndex, fundingIndex, row))
}

/** The same in floating point, for decisions, which are taken far more often than payments. */
function roughlyPaid(held: Holding): number {
  const { market, sz, fundingIndex, funding } = held
  if (sz === ZERO || fundingIndex === market.fundingIndex) return raw(funding)
  const step = raw(subtract(market.fundingIndex, fundingIndex))
  return raw(funding) + raw(sz) * step * market.fundingFactor
}

/** Equity of one isolated position at the market's price. */
export function isolatedEquity(held: Holding): number {
  const cost = raw(held.cost)
  const margin = Math.abs(cost) / held.leverage
  const paid = roughlyPaid(held) - raw(held.fundingAtOpen)
  return margin + held.market.value(held.sz) - cost - paid
}

/** Equity behind the cross positions of a perpetual account, and what it should at least be. */
export function cross(purse: Purse): { equity: number; need: number } {
  let equity = raw(purse.cash)
  let need = 0
  for (const held of purse.holdings) {
    const { sz, market } = held
    if (sz === ZERO) equity -= raw(held.funding)
    else if (held.isolated)
      equity -= Math.abs(raw(held.cost)) / held.leverage + raw(held.fundingAtOpen)
    else {
      const value = market.value(sz)
      equity += value - raw(held.cost) - roughlyPaid(held)
      need += Math.abs(value) * market.cushion
    }
  }
  return { equity, need }
}
