/** Every declaration in mix/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { mixFundcoScale } from './mix/fundco-scale.ts'
import { mixFundcoTrust } from './mix/fundco-trust.ts'
import { mixLiq } from './mix/liq.ts'
import { mixLsRatio } from './mix/ls-ratio.ts'
import { mixNav } from './mix/nav.ts'
import { mixStockMarket } from './mix/stock-market.ts'

export const MIX = {
  fundcoScale: mixFundcoScale,
  fundcoTrust: mixFundcoTrust,
  liq: mixLiq,
  lsRatio: mixLsRatio,
  nav: mixNav,
  stockMarket: mixStockMarket,
} satisfies Record<string, Operation>
