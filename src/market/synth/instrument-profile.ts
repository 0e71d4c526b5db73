import type { Trading } from '../bars/activity-hours.ts'

/** Parameters of one instrument of a synthesised market, as plain data. */
export interface InstrumentProfile {
  coin: string
  kind: 'perp' | 'spot'
  /** Decimals that a price and a size can have at most. */
  pxDecimals: number
  szDecimals: number
  /** Price of the first moment, in dollars. */
  startPx: number
  /** How far it moves when the whole market moves by one. */
  beta: number
  /** Volatility of its own, in basis points over one second. */
  ownBp: number
  /** Spread in a normal market, in ticks. */
  spreadTicks: number
  /** Mean distance between neighbouring levels, in ticks. */
  gapTicks: number
  /** Typical size of a level where most orders rest, in dollars. */
  levelUsd: number
  /** Levels of a side, and how far the last one is from the touch, in parts of the price. */
  levels: number
  extent: number
  /** Taker orders in a second of a normal market. */
  ordersPerS: number
  /** Median size of a taker order, in dollars. */
  orderUsd: number
  /** Mean size of a taker order against that of other markets with this median; 1 without it. */
  sizeTail?: number | undefined
  /** Makers whom a taker order meets on average, where there are more than usual. */
  fillsPerOrder?: number | undefined
  /** Move by an order of the usual level's size, in parts of the volatility of a second. */
  impact?: number | undefined
  /** Mean time between two updates of the book. */
  refreshMs: number
  /** Open interest of the first moment in dollars; 0 for spot. */
  interestUsd: number
  /** How far the perpetual is above its oracle, as a part of one. */
  premium: number
  /** How far the premium strays in hours and days, as a part of one; none without it. */
  premiumSpread?: number | undefined
  /** Liquidations in a cascade. */
  liquidations: number
  /** Another instrument on the same asset whose price this one tracks. */
  follows?: string | undefined
  /** Where prices are all one step apart, in units of 10^-pxDecimals; else by five figures. */
  tickUnits?: number | undefined
  /** Where its day comes from; traded always without it. */
  trading?: Trading | undefined
  /** How much more than usual it moved and was traded at first; both are forgotten in hours. */
  unusual?: { volatility: number; activity: number } | undefined
}

/** Volatility of an instrument in a normal market, in basis points over one second. */
export function volatilityBp({ beta, ownBp }: InstrumentProfile): number {
  return Math.hypot(MARKET_BP * beta, ownBp)
}

/** Impact of an instrument whose profile says nothing of it. */
export const IMPACT = 0.85

/** Volatility of the whole market over one second, in basis points. */
export const MARKET_BP = 0.55
