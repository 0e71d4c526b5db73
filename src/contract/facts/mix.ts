/** Queries about the market as a whole (the service's documentation, Feature and signal data). */
import type { Slices } from '../../clock/turns.ts'
import type {
  FundScale,
  FundTrust,
  LiquidationDetail,
  LongShortRatio,
  NavItem,
  StockMarketItem,
  TrustCoin,
} from '../records/mix.ts'

export interface MixFacts {
  /** null while no account holds anything. */
  longShortRatio(): Slices<LongShortRatio | null>
  navigation(language: 'cn' | 'en'): Slices<NavItem[]>
  /** null while its coin has no price. */
  trust(): FundTrust | null
  scales(coins: readonly TrustCoin[]): FundScale
  liquidations(query: {
    currency: 'cny' | 'usd'
    /** Key of a coin; all coins without it. */
    coinKey?: string | undefined
    /** Key of a market; all markets without it. */
    marketKey?: string | undefined
  }): Slices<LiquidationDetail>
  stocks(): Slices<StockMarketItem[]>
}
