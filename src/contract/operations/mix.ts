/** Operations of the mix group. */
import type { Operation } from '../operation.ts'
import { mixFundcoScale } from './mix/fundco-scale.ts'
import { mixFundcoTrust } from './mix/fundco-trust.ts'
import { mixLiq } from './mix/liq.ts'
import { mixLsRatio } from './mix/ls-ratio.ts'
import { mixNav } from './mix/nav.ts'
import { mixStockMarket } from './mix/stock-market.ts'

export const MIX = {
  lsRatio: mixLsRatio,
  nav: mixNav,
  fundcoTrust: mixFundcoTrust,
  fundcoScale: mixFundcoScale,
  liq: mixLiq,
  stockMarket: mixStockMarket,
} satisfies Record<string, Operation>
