import type { Px, Sz } from '../../decimal/quantity.ts'
import type { TwapProgram } from './agents/twap-program.ts'
import type { Holding, MarketState, SubAccount } from './market/market-state.ts'
import type { PriceAlarm } from './market/price-alarms.ts'
import type { LiveOrder } from './matching/order-manager.ts'

/** What somebody wants to trade. */
export interface Wish {
  holding: Holding
  side: 'B' | 'A'
  sz: Sz
  /** Only makes a position smaller. */
  reduceOnly: boolean
  /** Waits at this price, and has been met there; null takes what there is. */
  limitPx: Px | null
  /** The order that waits, where it has been placed already. */
  order?: LiveOrder
  /** The TWAP that it is a slice of. */
  program?: TwapProgram
}

/** What a maker offers at one instant. */
export interface Quotes {
  holding: Holding
  bid: { px: Px; sz: Sz }
  ask: { px: Px; sz: Sz }
}

/**
 * Where what traders decide is carried out. Those who decide do not know which one it is: before
 * the tape the crowd takes the other side at the price of the minute, on the tape its trades do.
 */
export interface Venue {
  /** Brings a market's price to an instant. */
  updatePrice(market: MarketState, timeMs: number): void
  /** Carries an order out, at once or when there is a trade for it. */
  submit(wish: Wish, timeMs: number): void
  /** Lets the crowd meet a maker's quotes. */
  quote(quotes: Quotes, timeMs: number): void
  /** Has an alarm run when its price is reached. */
  arm(market: MarketState, alarm: PriceAlarm, timeMs: number): void
  /** Equity below so many times the maintenance margin is too little. */
  readonly marginFloor: number
  /** Whether stops and targets that rest are carried out; else their owners pull them. */
  readonly firesTriggers: boolean
  /** Ends what an account, or one isolated position of it, has too little margin for. */
  enforceMargin(account: SubAccount, isolated: Holding | null, timeMs: number): void
}

/** Where nothing is traded yet: before anybody may act. */
export const CLOSED_VENUE: Venue = {
  marginFloor: 1,
  firesTriggers: false,
  updatePrice: () => {},
  submit: closed,
  quote: closed,
  arm: closed,
  enforceMargin: closed,
}

function closed(): never {
  throw new Error('nobody may act before the venue is open')
}

/** What those need who act at instants to come. */
export interface Acting {
  readonly tasks: { put(timeMs: number, run: (context: unknown, timeMs: number) => void): void }
  readonly venue: Venue
}
