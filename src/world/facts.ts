/** The world's answers: one facet a group of questions, made only when it is asked for. */
import type { Facts, Moment } from '../contract/facts.ts'
import { Accounts } from './queries/accounts.ts'
import { Books } from './queries/books.ts'
import { Candles } from './queries/candles.ts'
import { Coins } from './queries/coins.ts'
import { Depth } from './queries/depth.ts'
import { Derivatives } from './queries/derivatives/derivatives.ts'
import { Fills } from './queries/fills.ts'
import { Market } from './queries/market.ts'
import { Orders } from './queries/orders.ts'
import { Venue } from './queries/venue.ts'
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

  get depth() {
    return new Depth(this.world, this.moment)
  }

  get derivatives() {
    return new Derivatives(this.world, this.moment)
  }

  get market() {
    return new Market(this.world, this.moment)
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

  get orders() {
    return new Orders(this.world, this.moment)
  }

  get accounts() {
    return new Accounts(this.world, this.moment)
  }

  get venue() {
    return new Venue(this.world, this.moment)
  }
}
