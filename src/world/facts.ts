/** The world's answers: one facet a group of questions, made only when it is asked for. */
import type { Facts, Moment } from '../contract/facts.ts'
import { Accounts } from './queries/accounts.ts'
import { Books } from './queries/books.ts'
import { Candles } from './queries/candles.ts'
import { Coins } from './queries/coins.ts'
import { Content } from './queries/content/content.ts'
import { Contexts } from './queries/contexts/contexts.ts'
import { Curves } from './queries/curves/curves.ts'
import { Depth } from './queries/depth.ts'
import { Derivatives } from './queries/derivatives/derivatives.ts'
import { Fills } from './queries/fills.ts'
import { Flow } from './queries/flow/flow.ts'
import { Indexes } from './queries/indexes/indexes.ts'
import { Indicators } from './queries/indicators/indicators.ts'
import { Interest } from './queries/interest/interest.ts'
import { Liquidations } from './queries/liquidations/liquidations.ts'
import { Market } from './queries/market.ts'
import { Mix } from './queries/mix/mix.ts'
import { Orders } from './queries/orders.ts'
import { Positions } from './queries/positions/positions.ts'
import { Ranking } from './queries/ranking/ranking.ts'
import { Rounds } from './queries/rounds/rounds.ts'
import { Signals } from './queries/signals/signals.ts'
import { Stocks } from './queries/stocks/stocks.ts'
import { Twaps } from './queries/twaps/twaps.ts'
import { Users } from './queries/users/users.ts'
import { Venue } from './queries/venue.ts'
import { Whales } from './queries/whales/whales.ts'
import type { World } from './world.ts'

/** Answers out of a world, as of any moment. Instants go in and come out in tape time. */
export function factsOf(world: World): (moment: Moment) => Facts {
  return (moment) => new WorldFacts(world, moment)
}

/** Light, because one is made for every request and every pushed frame. */
class WorldFacts implements Facts {
  constructor(
    private readonly world: World,
    readonly moment: Moment,
  ) {}

  get coins() {
    return new Coins(this.world, this.moment)
  }

  get content() {
    return new Content(this.world, this.moment)
  }

  get depth() {
    return new Depth(this.world, this.moment)
  }

  get derivatives() {
    return new Derivatives(this.world, this.moment)
  }

  get market() {
    return new Market(this.world, this.moment)
  }

  get mix() {
    return new Mix(this.world, this.moment)
  }

  get books() {
    return new Books(this.world, this.moment)
  }

  get candles() {
    return new Candles(this.world, this.moment)
  }

  get fills() {
    return new Fills(this.world, this.moment)
  }

  get flow() {
    return new Flow(this.world, this.moment)
  }

  get indexes() {
    return new Indexes(this.world, this.moment)
  }

  get indicators() {
    return new Indicators(this.world, this.moment)
  }

  get interest() {
    return new Interest(this.world, this.moment)
  }

  get whales() {
    return new Whales(this.world, this.moment)
  }

  get orders() {
    return new Orders(this.world, this.moment)
  }

  get accounts() {
    return new Accounts(this.world, this.moment)
  }

  get liquidations() {
    return new Liquidations(this.world, this.moment)
  }

  get signals() {
    return new Signals(this.world, this.moment)
  }

  get stocks() {
    return new Stocks(this.world, this.moment)
  }

  get twaps() {
    return new Twaps(this.world, this.moment)
  }

  get curves() {
    return new Curves(this.world, this.moment)
  }

  get traders() {
    return new Ranking(this.world, this.moment)
  }

  get users() {
    return new Users(this.world, this.moment)
  }

  get contexts() {
    return new Contexts(this.world, this.moment)
  }

  get rounds() {
    return new Rounds(this.world, this.moment)
  }

  get positions() {
    return new Positions(this.world, this.moment)
  }

  get venue() {
    return new Venue(this.world, this.moment)
  }
}
