import type { RandomSource } from '../../random/random-source.ts'
import { lognormal, poisson, roundLots } from './distributions.ts'
import type { InstrumentProfile } from './instrument-profiles.ts'
import type { MakerView } from './makers.ts'
import { type Conditions, STEP_MS } from './market-conditions.ts'
import { tickBp } from './price-grid.ts'
import type { BookSide, SynthBook } from './synth-book.ts'

/** A taker's order: the side of the book it takes from, and how much. */
export interface MarketOrder {
  /** Side of the book that it takes from: asks when the taker buys. */
  side: BookSide
  lots: number
}

const STEP_S = STEP_MS / 1000
/** Share of orders that follow another: at once, and within the next half minute. */
const EXCITATION = { fast: 0.36, slow: 0.28, fastS: 0.7, slowS: 15 }

/** How far from the best price a market order goes. */
const SLIPPAGE_BP = 6

/** The takers of one instrument. Orders excite further orders, and buyers follow buyers. */
export class Takers {
  private fast = 0
  private slow = 0
  private imbalance = 0
  private readonly slippage: number

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly random: RandomSource,
  ) {
    this.slippage = SLIPPAGE_BP / tickBp(profile)
  }

  /** Times of this step's orders in ascending order, in ms after the start of the step. */
  arrivals(conditions: Conditions, pull: number): number[] {
    const activity =
      conditions.volatility ** 0.6 * (1 - 0.65 * conditions.quiet) * (1 + 1.1 * conditions.stress)
    const base = this.profile.ordersPerS * (1 - EXCITATION.fast - EXCITATION.slow) * activity
    // Quotes that the fair price has left behind are picked off.
    const stale = this.profile.ordersPerS * Math.min(10, 1.4 * Math.max(0, Math.abs(pull) - 1))
    const rate = Math.min(base + this.fast + this.slow, 8 * this.profile.ordersPerS) + stale
    const count = poisson(this.random, rate * STEP_S)
    this.fast =
      this.fast * Math.exp(-STEP_S / EXCITATION.fastS) +
      (count * EXCITATION.fast) / EXCITATION.fastS
    this.slow =
      this.slow * Math.exp(-STEP_S / EXCITATION.slowS) +
      (count * EXCITATION.slow) / EXCITATION.slowS
    this.imbalance = 0.995 * this.imbalance + 0.1 * this.random.normal()
    return Array.from({ length: count }, () => this.random.between(0, STEP_MS - 1)).sort(
      (a, b) => a - b,
    )
  }

  /** The order itself. `pull` is how far the fair price has left the quotes, up or down. */
  order(book: SynthBook, view: MakerView, pull: number, conditions: Conditions): MarketOrder {
    const { random, profile } = this
    if (Math.abs(pull) > 1.5 && random.chance(0.7)) return this.pick(book, view.fair, pull)
    const bias = 0.7 * this.imbalance + 1.2 * Math.max(-2.5, Math.min(2.5, pull))
    const side: BookSide = random.chance(1 / (1 + Math.exp(-bias))) ? 'asks' : 'bids'
    // Bodies of some hundred dollars and a heavy tail: one order in eight is a large one.
    const large = random.chance(0.12 * (1 - 0.7 * conditions.quiet) * (1 + conditions.stress))
    const usd = lognormal(random, profile.orderUsd * (large ? 14 : 1), large ? 1.5 : 1.35)
    const lots = roundLots(random, Math.max(usd * (1 + conditions.stress), 10.5) / view.lotUsd)
    // Most limit themselves to the best price; few walk into the book, none beyond the slippage.
    const reach = random.unit()
    const lastTick = this.slippage + (side === 'asks' ? book.best(side) : -book.best(side))
    const near = book[side].filter(
      ({ tick }) => (side === 'asks' ? tick : -tick) <= lastTick,
    ).length
    const depth = reach < 0.62 ? 1 : reach < 0.9 ? 3 : near
    return { side, lots: Math.min(lots, book.sizeWithin(side, depth)) }
  }

  /** Takes a part of what is on the wrong side of the fair price. */
  private pick(book: SynthBook, fair: number, pull: number): MarketOrder {
    const side: BookSide = pull > 0 ? 'asks' : 'bids'
    const stale = book[side].filter(({ tick }) => (fair - tick) * pull > 0).length
    const available = book.sizeWithin(side, Math.max(1, Math.min(stale, 20)))
    return {
      side,
      lots: Math.max(1, Math.floor(available * (0.15 + 0.75 * this.random.unit()))),
    }
  }
}
