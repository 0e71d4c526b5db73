/** Features of the market as a whole (the service's documentation, Feature and signal data). */
import type { Slices } from '../../../clock/turns.ts'
import type { MixFacts } from '../../../contract/facts/mix.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { NavItem, StockMarketItem, TrustCoin } from '../../../contract/records/mix.ts'
import type { World } from '../../world.ts'
import { scalesOf, trustOf } from './fund-trusts.ts'
import { liquidationDetail } from './liquidation-detail.ts'
import { longShortRatio } from './long-short-ratio.ts'
import { navigationOf } from './navigation.ts'
import { stockMarketOf } from './stock-market.ts'

export class MixQueries implements MixFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  longShortRatio() {
    return longShortRatio(this.world, this.moment)
  }

  navigation(language: 'cn' | 'en'): Slices<NavItem[]> {
    return navigationOf(this.world, this.moment, language)
  }

  trust() {
    return trustOf(this.world, this.moment)
  }

  scales(coins: readonly TrustCoin[]) {
    return scalesOf(this.world, this.moment, coins)
  }

  liquidations(query: Parameters<MixFacts['liquidations']>[0]) {
    return liquidationDetail(this.world, this.moment, query)
  }

  stocks(): Slices<StockMarketItem[]> {
    return stockMarketOf(this.world, this.moment)
  }
}
