import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import { lognormal, roundLots } from './distributions.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import type { MakerView } from './maker-view.ts'
import { type Conditions, STEP_MS } from './market-conditions.ts'
import { type ArrivalState, metArrivals, newArrivals, OrderArrivals } from './order-arrivals.ts'
import { newParents, ParentOrders, type ParentState } from './parent-orders.ts'
import { tickBp } from './price-grid.ts'
import type { BookSide, SynthBook } from './synth-book.ts'

/** A taker's order: the side of the book it takes from, and how much. */
export interface MarketOrder {
  /** Side of the book that it takes from: asks when the taker buys. */
  side: BookSide
  lots: number
}

/** The takers of one instrument as plain data. */
export interface TakerState {
  random: RandomState
  arrivals: ArrivalState
  parents: ParentState
  /** Whether buyers or sellers are more now. */
  imbalance: number
}

/** Share of the orders that execute a part of a larger one. */
const PARENT_SHARE = 0.74
/** How much other orders, and a fair price that has left the quotes, tell of an order's side. */
const IMBALANCE_BIAS = 0.7
const PULL_BIAS = 4
/** How far from the best price a market order goes. */
const SLIPPAGE_BP = 6
/** Levels that one who picks off stale quotes goes through at most. */
const STALE_LEVELS = 4
/** Share of the orders that make a tail longer. */
const TAIL_ODDS = 0.06
/** Orders above the smallest that the venue takes, dollars. */
const ORDER_LEAST_USD = 10.5

/** Takers before their first order. */
export function newTakers(key: string, profile: InstrumentProfile): TakerState {
  return {
    random: randomState(key, 'takers'),
    arrivals: newArrivals(randomState(key, 'arrivals')),
    parents: newParents(randomState(key, 'parents'), profile.orderUsd),
    imbalance: 0,
  }
}

/** Takers as they are met at any time, when they are so busy. */
export function metTakers(key: string, profile: InstrumentProfile, activity: number): TakerState {
  const { random, parents, imbalance } = newTakers(key, profile)
  const arrivals = metArrivals(randomState(key, 'arrivals'), profile.ordersPerS, activity)
  return { random, arrivals, parents, imbalance }
}

/** The takers of one instrument: large orders in children, small ones, and those who are quick. */
export class Takers {
  private readonly random: RandomSource
  private readonly arrivals: OrderArrivals
  private readonly parents: ParentOrders
  private readonly slippage: number
  /** Orders of the step that is under way, and how many of them have come. */
  private arriving: readonly number[] = []
  private arrived = 0

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly state: TakerState,
  ) {
    this.random = randomSourceOf(state.random)
    this.arrivals = new OrderArrivals(state.arrivals, profile.ordersPerS, STEP_MS / 1000)
    this.parents = new ParentOrders(state.parents, profile.orderUsd)
    this.slippage = SLIPPAGE_BP / tickBp(profile)
  }

  /**
   * Begins a step: who comes in it is settled, whatever comes of their orders. `usual` is how busy
   * the instrument is by itself.
   */
  arrive(conditions: Conditions, pull: number, usual: number): void {
    const { state, profile } = this
    const { volatility, quiet, stress } = conditions
    const activity = usual * volatility ** 0.6 * (1 - 0.65 * quiet) * (1 + 2.2 * stress)
    // Quotes that the fair price has left behind are picked off.
    const stale = profile.ordersPerS * Math.min(10, 1.4 * Math.max(0, Math.abs(pull) - 1))
    state.imbalance = 0.995 * state.imbalance + 0.1 * this.random.normal()
    this.arriving = this.arrivals.step(activity, stale)
    this.arrived = 0
  }

  /** When the next order of the step comes, in ms after its start; undefined after the last. */
  nextArrivalMs(): number | undefined {
    const part = this.arriving[this.arrived++]
    return part === undefined ? undefined : Math.floor(part * STEP_MS)
  }

  /** The order itself. `pull` is how far the fair price has left the quotes, up or down. */
  order(book: SynthBook, view: MakerView, pull: number, conditions: Conditions): MarketOrder {
    const { random } = this
    if (Math.abs(pull) > 1.5 && random.chance(0.7)) return this.pick(book, view.fair, pull)
    const bias = IMBALANCE_BIAS * this.state.imbalance
    // Those who work large orders began long ago; the others know where the price is going.
    const { sign, usd } = random.chance(PARENT_SHARE)
      ? this.parents.next(bias)
      : this.single(bias + PULL_BIAS * Math.max(-2.5, Math.min(2.5, pull)), conditions)
    const side: BookSide = sign > 0 ? 'asks' : 'bids'
    const tail = this.tail()
    const wanted = usd * (1 + conditions.stress) * tail
    const dollars = Math.max(wanted, ORDER_LEAST_USD)
    const lots = roundLots(random, dollars / view.lotUsd)
    // Most limit themselves to the best price; few walk into the book, none beyond the slippage.
    const reach = random.unit()
    const isSmall = tail === 1
    const depth = isSmall && reach < 0.62 ? 1 : isSmall && reach < 0.9 ? 3 : this.near(book, side)
    return { side, lots: Math.min(lots, book.sizeWithin(side, depth)) }
  }

  /** An order for itself: some hundred dollars and a heavy tail, one in four is a large one. */
  private single(bias: number, { quiet, stress }: Conditions): { sign: 1 | -1; usd: number } {
    const { random, profile } = this
    const sign = random.chance(1 / (1 + Math.exp(-bias))) ? 1 : -1
    const isLarge = random.chance(0.3 * (1 - 0.7 * quiet) * (1 + stress))
    const usd = lognormal(random, profile.orderUsd * (isLarge ? 18 : 1), isLarge ? 1.5 : 1.35)
    return { sign, usd }
  }

  /** Few orders are many times as large where sizes have a longer tail than usual. */
  private tail(): number {
    const { random, profile } = this
    const { sizeTail = 1 } = profile
    if (sizeTail <= 1 || !random.chance(TAIL_ODDS)) return 1
    return 1 + (sizeTail - 1) / TAIL_ODDS
  }

  /** Levels within the slippage. */
  private near(book: SynthBook, side: BookSide): number {
    const best = book.best(side)
    return book.levelsUpTo(side, side === 'asks' ? best + this.slippage : best - this.slippage)
  }

  /** Takes a part of what is on the wrong side of the fair price. */
  private pick(book: SynthBook, fair: number, pull: number): MarketOrder {
    const side: BookSide = pull > 0 ? 'asks' : 'bids'
    const stale = book.levelsUpTo(side, fair)
    const available = book.sizeWithin(side, Math.max(1, Math.min(stale, STALE_LEVELS)))
    return {
      side,
      lots: Math.max(1, Math.floor(available * (0.15 + 0.75 * this.random.unit()))),
    }
  }
}
