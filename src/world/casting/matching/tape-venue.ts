import { absolute, raw, ZERO } from '../../../decimal/quantity.ts'
import type { CastingContext } from '../casting-context.ts'
import type { Holding, MarketState, SubAccount } from '../market/market-state.ts'
import type { PriceAlarm } from '../market/price-alarms.ts'
import type { Quotes, Venue, Wish } from '../venue.ts'

/** On the tape: trades are given, and go to those who want such a one. */
export class TapeVenue implements Venue {
  /** No trades can be added to a tape, so owners bring money in time. */
  readonly marginFloor = 1.15
  readonly firesTriggers = false

  constructor(private readonly context: CastingContext) {}

  /** The tape's trades and marks do. */
  updatePrice(): void {}

  submit(wish: Wish, timeMs: number): void {
    this.context.wishes.add(wish, timeMs)
  }

  quote(quotes: Quotes, timeMs: number): void {
    this.context.quotes.add(quotes, timeMs)
  }

  arm(market: MarketState, alarm: PriceAlarm): void {
    market.alarms.put(alarm)
  }

  enforceMargin(account: SubAccount, isolated: Holding | null, timeMs: number): void {
    if (isolated) {
      const side = isolated.sz > ZERO ? 'A' : 'B'
      const sz = absolute(isolated.sz)
      return this.submit({ holding: isolated, side, sz, reduceOnly: true, limitPx: null }, timeMs)
    }
    this.context.funds.support(account, timeMs)
    this.context.margins.watchAccount(account, timeMs)
  }

  /** Runs what waits for the price that a market has now. */
  reached(market: MarketState, timeMs: number): void {
    market.alarms.run(raw(market.px), timeMs)
  }
}
