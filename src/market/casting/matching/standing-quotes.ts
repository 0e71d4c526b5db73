import { type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { Quotes } from '../venue.ts'

/** A quote that no trade has met for so long is taken back. */
const LIFE_MS = 15_000

interface StandingQuote {
  quotes: Quotes
  /** What its maker had done when it was given: a quote is for the position of then. */
  changes: number
  untilMs: number
}

/** Quotes at the best price, until a trade of the tape meets one of their sides. */
export class StandingQuotes {
  private readonly byMarket = new Map<MarketState, StandingQuote[]>()

  /** A maker's new quote replaces the one before. */
  add(quotes: Quotes, timeMs: number): void {
    const { holding } = quotes
    const others = this.standing(holding.market, timeMs).filter(
      (one) => one.quotes.holding !== holding,
    )
    others.push({ quotes, changes: holding.changes, untilMs: timeMs + LIFE_MS })
    this.byMarket.set(holding.market, others)
  }

  /** Whose quote a trade meets on a side; it is met once. */
  meet(
    market: MarketState,
    side: 'B' | 'A',
    sz: Sz,
    taker: Holding | null,
    timeMs: number,
  ): Holding | undefined {
    const standing = this.standing(market, timeMs)
    const met = standing.find(({ quotes }) => {
      const offered = side === 'B' ? quotes.bid.sz : quotes.ask.sz
      return quotes.holding !== taker && offered > ZERO && offered >= sz
    })
    if (met)
      this.byMarket.set(
        market,
        standing.filter((one) => one !== met),
      )
    return met?.quotes.holding
  }

  private standing(market: MarketState, timeMs: number): StandingQuote[] {
    const all = this.byMarket.get(market)
    if (!all) return []
    return all.filter(
      ({ quotes, changes, untilMs }) => quotes.holding.changes === changes && timeMs <= untilMs,
    )
  }
}
