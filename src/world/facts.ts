/** The world's answers: one facet for each group of queries, made only when it is needed. */
import type { Facts, Moment } from '../contract/facts.ts'
import { crowdHeld } from './crowd/account-world.ts'
import { byAddress } from './crowd/by-address.ts'
import { worldAsOf } from './listed-world.ts'
import { CoinQueries } from './queries/coin/coin-queries.ts'
import { ContentQueries } from './queries/content/content-queries.ts'
import { FuturesQueries } from './queries/futures/futures-queries.ts'
import { IndicatorQueries } from './queries/indicator/indicator-queries.ts'
import { MarketIndexQueries } from './queries/market-index/market-index-queries.ts'
import { MixQueries } from './queries/mix/mix-queries.ts'
import { AccountQueries } from './queries/perpdex/accounts/account-queries.ts'
import { AssetContextQueries } from './queries/perpdex/asset-contexts/context-queries.ts'
import { BookQueries } from './queries/perpdex/books/book-queries.ts'
import { CandleQueries } from './queries/perpdex/candles/candle-queries.ts'
import { CompletedTradeQueries } from './queries/perpdex/completed-trades/trade-queries.ts'
import { FillQueries } from './queries/perpdex/fills/fill-queries.ts'
import { LiquidationQueries } from './queries/perpdex/liquidations/liquidation-queries.ts'
import { MarketQueries } from './queries/perpdex/market/market-queries.ts'
import { OpenInterestQueries } from './queries/perpdex/open-interest/open-interest-queries.ts'
import { OrderFlowQueries } from './queries/perpdex/order-flow/order-flow-queries.ts'
import { OrderQueries } from './queries/perpdex/orders/order-queries.ts'
import { PnlCurveQueries } from './queries/perpdex/pnl-curves/pnl-curve-queries.ts'
import { PositionQueries } from './queries/perpdex/positions/position-queries.ts'
import { TraderQueries } from './queries/perpdex/traders/trader-queries.ts'
import { TwapQueries } from './queries/perpdex/twaps/twap-queries.ts'
import { UserQueries } from './queries/perpdex/users/user-queries.ts'
import { VenueQueries } from './queries/perpdex/venue/venue-queries.ts'
import { WhaleQueries } from './queries/perpdex/whales/whale-queries.ts'
import { SignalQueries } from './queries/signal/signal-queries.ts'
import { StockQueries } from './queries/stock/stock-queries.ts'
import type { World } from './world.ts'

/** Answers out of a world, as of any moment. Instants go in and come out in tape time. */
export function factsOf(world: World): (moment: Moment) => Facts {
  return (moment) => new WorldFacts(worldAsOf(world, moment.atMs), moment)
}

/** Light, because one is made for every request and every pushed frame. */
class WorldFacts implements Facts {
  constructor(
    private readonly world: World,
    readonly moment: Moment,
  ) {}

  get coin() {
    return new CoinQueries(this.world, this.moment)
  }

  get content() {
    return new ContentQueries(this.world, this.moment)
  }

  get futures() {
    return new FuturesQueries(this.world, this.moment)
  }

  get market() {
    return new MarketQueries(this.world, this.moment)
  }

  get mix() {
    return new MixQueries(this.world, this.moment)
  }

  get books() {
    return new BookQueries(this.world, this.moment)
  }

  get candles() {
    return new CandleQueries(this.world, this.moment)
  }

  get fills() {
    return this.byAddress(
      (world) => new FillQueries(world, this.moment, (trade) => crowdHeld(this.world, trade)),
      ['ofOrder'],
    )
  }

  get orderFlow() {
    return new OrderFlowQueries(this.world, this.moment)
  }

  get marketIndex() {
    return new MarketIndexQueries(this.world, this.moment)
  }

  get indicator() {
    return new IndicatorQueries(this.world, this.moment)
  }

  get openInterest() {
    return new OpenInterestQueries(this.world, this.moment)
  }

  get whales() {
    return new WhaleQueries(this.world, this.moment)
  }

  get orders() {
    return this.byAddress((world) => new OrderQueries(world, this.moment), ['byId', 'filledById'])
  }

  get accounts() {
    return this.byAddress((world) => new AccountQueries(world, this.moment))
  }

  get liquidations() {
    return new LiquidationQueries(this.world, this.moment)
  }

  get signal() {
    return new SignalQueries(this.world, this.moment)
  }

  get stock() {
    return new StockQueries(this.world, this.moment)
  }

  get twaps() {
    return this.byAddress((world) => new TwapQueries(world, this.moment))
  }

  get pnlCurves() {
    return this.byAddress((world) => new PnlCurveQueries(world, this.moment))
  }

  get traders() {
    return this.byAddress((world) => new TraderQueries(world, this.moment))
  }

  get users() {
    return this.byAddress((world) => new UserQueries(world, this.moment))
  }

  get assetContexts() {
    return new AssetContextQueries(this.world, this.moment)
  }

  get completedTrades() {
    return this.byAddress((world) => new CompletedTradeQueries(world, this.moment))
  }

  get positions() {
    return this.byAddress((world) => new PositionQueries(world, this.moment))
  }

  get venue() {
    return new VenueQueries(this.world, this.moment)
  }

  private byAddress<Q extends object>(
    queriesOf: (world: World) => Q,
    ofOrders?: readonly (keyof Q)[],
  ): Q {
    return byAddress(this.world, queriesOf, ofOrders)
  }
}
