/** Features of the market as a whole (spec, Feature and signal data). */
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { NavItem, StockMarketItem, TrustCoin } from '../../../contract/records/mix.ts'
import type { World } from '../../world.ts'
import { liquidationDetail } from './liquidations.ts'
import { navigationOf } from './navigation.ts'
import { longShortRatio } from './ratio.ts'
import { stockMarketOf } from './stock-market.ts'
import { scalesOf, trustOf } from './trusts.ts'

type Asked = Facts['mix']

export class Mix implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  longShortRatio() {
    return longShortRatio(this.world, this.moment)
  }

  navigation(language: 'cn' | 'en'): NavItem[] {
    return navigationOf(this.world, this.moment, language)
  }

  trust() {
    return trustOf(this.world, this.moment)
  }

  scales(coins: readonly TrustCoin[]) {
    return scalesOf(this.world, this.moment, coins)
  }

  liquidations(query: Parameters<Asked['liquidations']>[0]) {
    return liquidationDetail(this.world, this.moment, query)
  }

  stocks(): StockMarketItem[] {
    return stockMarketOf(this.world, this.moment)
  }
}
