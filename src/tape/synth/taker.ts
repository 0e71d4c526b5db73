import type { Dice } from '../../random/dice.ts'
import { lognormal, neat, poisson } from './draws.ts'
import { tickBp } from './ladder.ts'
import type { View } from './maker.ts'
import type { Profile } from './roster.ts'
import type { Half, Shelves } from './shelves.ts'
import { STEP_MS, type Weather } from './weather.ts'

/** A taker's order: whom it meets and how much it takes. */
export interface Order {
  /** Half of the book that it eats: asks when the taker buys. */
  half: Half
  lots: number
}

const STEP_S = STEP_MS / 1000
/** Share of orders that follow another: at once, and within the next half minute. */
const ECHO = { fast: 0.36, slow: 0.28, fastS: 0.7, slowS: 15 }

/** How far from the best price an order without a limit goes. */
const SLIPPAGE_BP = 6

/** The takers of one instrument. Orders excite further orders, and buyers follow buyers. */
export class Takers {
  private fast = 0
  private slow = 0
  private mood = 0
  private readonly slippage: number

  constructor(
    private readonly profile: Profile,
    private readonly dice: Dice,
  ) {
    this.slippage = SLIPPAGE_BP / tickBp(profile)
  }

  /** Times of this step's orders in ascending order, in ms after the start of the step. */
  arrivals(weather: Weather, pull: number): number[] {
    const activity = weather.heat ** 0.6 * (1 - 0.65 * weather.quiet) * (1 + 1.1 * weather.stress)
    const base = this.profile.ordersPerS * (1 - ECHO.fast - ECHO.slow) * activity
    // Quotes that the fair price has left behind are picked off.
    const stale = this.profile.ordersPerS * Math.min(10, 1.4 * Math.max(0, Math.abs(pull) - 1))
    const rate = Math.min(base + this.fast + this.slow, 8 * this.profile.ordersPerS) + stale
    const count = poisson(this.dice, rate * STEP_S)
    this.fast = this.fast * Math.exp(-STEP_S / ECHO.fastS) + (count * ECHO.fast) / ECHO.fastS
    this.slow = this.slow * Math.exp(-STEP_S / ECHO.slowS) + (count * ECHO.slow) / ECHO.slowS
    this.mood = 0.995 * this.mood + 0.1 * this.dice.normal()
    return Array.from({ length: count }, () => this.dice.between(0, STEP_MS - 1)).sort(
      (a, b) => a - b,
    )
  }

  /** The order itself. `pull` says how far the fair price has left the quotes, up or down. */
  order(book: Shelves, view: View, pull: number, weather: Weather): Order {
    const { dice, profile } = this
    if (Math.abs(pull) > 1.5 && dice.chance(0.7)) return this.pick(book, view.fair, pull)
    const lean = 0.7 * this.mood + 1.2 * Math.max(-2.5, Math.min(2.5, pull))
    const half: Half = dice.chance(1 / (1 + Math.exp(-lean))) ? 'asks' : 'bids'
    // Bodies of some hundred dollars and a heavy tail: one order in eight is a large one.
    const large = dice.chance(0.12 * (1 - 0.7 * weather.quiet) * (1 + weather.stress))
    const usd = lognormal(dice, profile.orderUsd * (large ? 14 : 1), large ? 1.5 : 1.35)
    const lots = neat(dice, Math.max(usd * (1 + weather.stress), 10.5) / view.lotUsd)
    // Most limit themselves to the best price; few walk into the book, none beyond all reason.
    const reach = dice.unit()
    const last = this.slippage + (half === 'asks' ? book.best(half) : -book.best(half))
    const near = book[half].filter(({ rung }) => (half === 'asks' ? rung : -rung) <= last).length
    const depth = reach < 0.62 ? 1 : reach < 0.9 ? 3 : near
    return { half, lots: Math.min(lots, book.standing(half, depth)) }
  }

  /** Takes a part of what stands on the wrong side of the fair price. */
  private pick(book: Shelves, fair: number, pull: number): Order {
    const half: Half = pull > 0 ? 'asks' : 'bids'
    const stale = book[half].filter(({ rung }) => (fair - rung) * pull > 0).length
    const there = book.standing(half, Math.max(1, Math.min(stale, 20)))
    return { half, lots: Math.max(1, Math.floor(there * (0.15 + 0.75 * this.dice.unit()))) }
  }
}
