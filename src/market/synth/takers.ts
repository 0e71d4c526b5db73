import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import { exponential, lognormal, roundLots } from './distributions.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import { type Conditions, STEP_MS } from './market-conditions.ts'
import type { BookSide, SynthBook } from './order-matching.ts'
import { tickBp } from './order-matching.ts'
import type { MakerView } from './quoting.ts'

/** A taker's order: the side of the book that it takes from, and its size. */
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
  /** Present imbalance of buyers and sellers. */
  imbalance: number
  /** Dollars that the book could not fill, by the side that they were to take from. */
  unfilled: Record<BookSide, number>
}

/** Share of orders that are parts of a larger one. */
const PARENT_SHARE = 0.74
/** Influence of other orders, and of a fair price beyond the quotes, on an order's side. */
const IMBALANCE_BIAS = 0.7
const PULL_BIAS = 4
/** Slippage limit of a market order. */
const SLIPPAGE_BP = 6
/** Maximum number of levels taken from stale quotes. */
const STALE_LEVELS = 4
/** The largest order relative to the mean. */
const ORDER_MOST_MEANS = 120
/** Blocks, which walk into the book: their odds, their part of the turnover, and log-deviation. */
const BLOCKS = { odds: 0.01, part: 0.35, sigma: 0.7 }
/** Usual size of an order for stale quotes, relative to the mean. */
const PICKED_MEANS = 4
/** Just above the venue's minimum order, dollars. */
const ORDER_LEAST_USD = 10.5

/** Takers before their first order. */
export function newTakers(key: string, profile: InstrumentProfile): TakerState {
  return {
    random: randomState(key, 'takers'),
    arrivals: newArrivals(randomState(key, 'arrivals')),
    parents: newParents(randomState(key, 'parents'), sizesOf(profile)),
    imbalance: 0,
    unfilled: { bids: 0, asks: 0 },
  }
}

/** Takers in their stationary state, at an activity. */
export function stationaryTakers(
  key: string,
  profile: InstrumentProfile,
  activity: number,
): TakerState {
  const arrivals = stationaryArrivals(randomState(key, 'arrivals'), profile.ordersPerS, activity)
  return { ...newTakers(key, profile), arrivals }
}

/**
 * The takers of one instrument: large orders in children, small ones, and fast takers of stale
 * quotes.
 */
export class Takers {
  private readonly random: RandomSource
  private readonly arrivals: OrderArrivals
  private readonly parents: ParentOrders
  private readonly slippage: number
  private readonly sizes: OrderSizes
  /** Orders of the present step, and the number that have arrived. */
  private arriving: readonly number[] = []
  private arrived = 0

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly state: TakerState,
  ) {
    this.random = randomSourceOf(state.random)
    this.arrivals = new OrderArrivals(state.arrivals, profile.ordersPerS, STEP_MS / 1000)
    this.sizes = sizesOf(profile)
    this.parents = new ParentOrders(state.parents, this.sizes)
    this.slippage = SLIPPAGE_BP / tickBp(profile)
  }

  /**
   * Begins a step: its arrivals are fixed, whatever results from their orders. `usual` is the
   * instrument's own activity.
   */
  arrive(conditions: Conditions, pull: number, usual: number): void {
    const { state, profile } = this
    const { turnover, quiet, stress } = conditions
    const activity = usual * turnover * (1 - 0.65 * quiet) * (1 + 2.2 * stress)
    // Quotes that the fair price has passed are picked off.
    const stale = profile.ordersPerS * Math.min(10, 1.4 * Math.max(0, Math.abs(pull) - 1))
    state.imbalance = 0.995 * state.imbalance + 0.1 * this.random.normal()
    this.arriving = this.arrivals.step(activity, stale)
    this.arrived = 0
  }

  /** Arrival of the step's next order, in ms after its start; undefined after the last. */
  nextArrivalMs(): number | undefined {
    const part = this.arriving[this.arrived++]
    return part === undefined ? undefined : Math.floor(part * STEP_MS)
  }

  /** The order itself. `pull` is the signed distance of the fair price beyond the quotes. */
  order(book: SynthBook, view: MakerView, pull: number, conditions: Conditions): MarketOrder {
    const { random } = this
    if (Math.abs(pull) > 1.1 && random.chance(0.8)) return this.pick(book, view, pull)
    const bias = IMBALANCE_BIAS * this.state.imbalance
    const leaning = bias + PULL_BIAS * Math.max(-2.5, Math.min(2.5, pull))
    const isBlock = random.chance(BLOCKS.odds)
    // Parents began long ago; the others react to the price's direction.
    const { sign, usd } = isBlock
      ? this.block(leaning)
      : random.chance(PARENT_SHARE)
        ? this.parents.next(bias)
        : this.single(leaning, conditions)
    const side: BookSide = sign > 0 ? 'asks' : 'bids'
    return this.within(book, view, side, usd * (1 + conditions.stress), isBlock)
  }

  /** An order as far as the book reaches; the next one of the side wants the rest, too. */
  private within(
    book: SynthBook,
    view: MakerView,
    side: BookSide,
    usd: number,
    isBlock: boolean,
  ): MarketOrder {
    const { random, state, sizes } = this
    const most = ORDER_MOST_MEANS * sizes.meanUsd
    const wanted = Math.min(most, Math.max(usd, ORDER_LEAST_USD) + state.unfilled[side])
    const lots = roundLots(random, wanted / view.lotUsd)
    // Most limit themselves to the best price; few walk into the book, none beyond the slippage.
    const reach = isBlock ? 1 : random.unit()
    const depth = reach < 0.62 ? 1 : reach < 0.9 ? 3 : this.near(book, side)
    const filled = Math.min(lots, book.sizeWithin(side, depth))
    state.unfilled[side] = Math.max(0, wanted - filled * view.lotUsd)
    return { side, lots: filled }
  }

  /** A single order: fewer of the large ones in a quiet market. */
  private single(bias: number, { quiet }: Conditions): { sign: 1 | -1; usd: number } {
    const { random, sizes } = this
    const sign = random.chance(1 / (1 + Math.exp(-bias))) ? 1 : -1
    const usd = lognormal(random, sizes.medianUsd, sizes.sigma)
    return { sign, usd: usd > sizes.meanUsd ? usd * (1 - 0.7 * quiet) : usd }
  }

  private block(bias: number): { sign: 1 | -1; usd: number } {
    const { random, sizes } = this
    const { odds, part, sigma } = BLOCKS
    const median = ((part * sizes.meanUsd) / odds) * Math.exp(-(sigma ** 2) / 2)
    return { sign: signOf(random, bias), usd: lognormal(random, median, sigma) }
  }

  /** Number of levels within the slippage. */
  private near(book: SynthBook, side: BookSide): number {
    const best = book.best(side)
    return book.levelsUpTo(side, side === 'asks' ? best + this.slippage : best - this.slippage)
  }

  /** Takes a part of the quotes on the wrong side of the fair price, as far as its money goes. */
  private pick(book: SynthBook, { fair, lotUsd }: MakerView, pull: number): MarketOrder {
    const { random, sizes } = this
    const side: BookSide = pull > 0 ? 'asks' : 'bids'
    const stale = book.levelsUpTo(side, fair)
    const available = book.sizeWithin(side, Math.max(1, Math.min(stale, STALE_LEVELS)))
    const part = available * (0.15 + 0.75 * random.unit())
    const most = lognormal(random, PICKED_MEANS * sizes.meanUsd, 0.8) / lotUsd
    return { side, lots: Math.min(available, Math.max(1, Math.floor(Math.min(part, most)))) }
  }
}

/** Number of concurrent parents. The fewer, the more often the next order has the same side. */
const PARENTS = 3
/**
 * Tail exponent of the number of children, so that the sides' autocorrelation falls with the root
 * of the lag.
 */
const TAIL_EXPONENT = 1.5
const CHILDREN_MOST = 1500
/** Log-spread of the children's size between parents; the rest is within each. */
const PARENTS_SIGMA = 0.8

/** Sizes of taker orders: log-normal from the venue's minimum on, and blocks besides. */
interface OrderSizes {
  medianUsd: number
  meanUsd: number
  /** Deviation of the logarithm. */
  sigma: number
}

/** Mean order relative to `orderUsd`, and relative to the median. */
const MEAN_SIZE = 3.2
export const SIZE_TAIL = 18

function sizesOf({ orderUsd, sizeTail = SIZE_TAIL }: InstrumentProfile): OrderSizes {
  const meanUsd = MEAN_SIZE * orderUsd
  const others = Math.max(1.1, (sizeTail * (1 - BLOCKS.part)) / (1 - BLOCKS.odds))
  // A log-normal mean is exp(sigma^2 / 2) medians.
  return { meanUsd, medianUsd: meanUsd / sizeTail, sigma: Math.sqrt(2 * Math.log(others)) }
}

/** A large order that is worked in children of one side. */
interface ParentOrder {
  /** 1 buys, -1 sells. */
  sign: 1 | -1
  children: number
  /** Median size of a child, dollars. */
  childUsd: number
}

/** Parents of one instrument as plain data. */
interface ParentState {
  random: RandomState
  parents: ParentOrder[]
}

/** Parents in their stationary state: long ones started long ago. */
function newParents(random: RandomState, sizes: OrderSizes): ParentState {
  const source = randomSourceOf(random)
  const parents = Array.from({ length: PARENTS }, () => {
    // The remaining part of a parent at an instant has the tail of the mean beyond it.
    const children = tailed(source, TAIL_EXPONENT - 1)
    return { sign: signOf(source, 0), children, childUsd: childSize(source, sizes) }
  })
  return { random, parents }
}

/** The parents of one instrument, whose children are its orders. */
class ParentOrders {
  private readonly random: RandomSource
  /** Log-spread of one parent's children. */
  private readonly sigma: number

  constructor(
    private readonly state: ParentState,
    private readonly sizes: OrderSizes,
  ) {
    this.random = randomSourceOf(state.random)
    this.sigma = Math.sqrt(Math.max(0.2, sizes.sigma ** 2 - PARENTS_SIGMA ** 2))
  }

  /** The next child: its sign and its dollars. `bias` shifts the side of future parents. */
  next(bias: number): { sign: 1 | -1; usd: number } {
    const { random, state } = this
    const at = random.between(0, PARENTS - 1)
    const parent = state.parents[at] ?? this.begin(bias)
    const usd = lognormal(random, parent.childUsd, this.sigma)
    const { sign } = parent
    parent.children--
    if (parent.children <= 0) state.parents[at] = this.begin(bias)
    return { sign, usd }
  }

  private begin(bias: number): ParentOrder {
    const { random } = this
    const sign = signOf(random, bias)
    const children = tailed(random, TAIL_EXPONENT)
    return { sign, children, childUsd: childSize(random, this.sizes) }
  }
}

function signOf(random: RandomSource, bias: number): 1 | -1 {
  return random.chance(1 / (1 + Math.exp(-bias))) ? 1 : -1
}

/** A whole number of 1 or more with this tail exponent. */
function tailed(random: RandomSource, exponent: number): number {
  return Math.min(CHILDREN_MOST, Math.ceil((1 - random.unit()) ** (-1 / exponent)))
}

function childSize(random: RandomSource, { medianUsd }: OrderSizes): number {
  return lognormal(random, medianUsd, PARENTS_SIGMA)
}

/** Mean number of orders that an order triggers, and their delay: three exponential kernels. */
const KERNELS = [
  { orders: 0.73, meanS: 0.12 },
  { orders: 0.13, meanS: 1.2 },
  { orders: 0.05, meanS: 25 },
] as const
const MEANS_S = KERNELS.map(({ meanS }) => meanS)
/** Triggered orders per order, and the minimum rate of spontaneous ones. */
const FOLLOWING = KERNELS.reduce((sum, { orders }) => sum + orders, 0)
const OWN_LEAST_PER_S = 0.16

const NONE: readonly number[] = []

/** Arrivals of one instrument as plain data. */
interface ArrivalState {
  random: RandomState
  /** Each kernel's present addition to the rate, orders a second. */
  excited: number[]
  /** Expected orders until the next one. */
  left: number
}

/** Arrivals before the first order. */
function newArrivals(random: RandomState): ArrivalState {
  return { random, excited: KERNELS.map(() => 0), left: exponential(randomSourceOf(random), 1) }
}

/** Arrivals in their stationary state; `activity` multiplies the spontaneous rate. */
function stationaryArrivals(
  random: RandomState,
  ordersPerS: number,
  activity: number,
): ArrivalState {
  const { left } = newArrivals(random)
  const { excitation } = sharesOf(ordersPerS)
  const caused = activity * ordersPerS * excitation
  return { random, excited: KERNELS.map(({ orders }) => caused * orders), left }
}

/** Spontaneous orders a second, and the excitation by each order. */
function sharesOf(ordersPerS: number): { ownPerS: number; excitation: number } {
  // Orders of a rarely traded instrument trigger fewer others, or whole minutes had none.
  const ownPerS = Math.min(ordersPerS, Math.max(ordersPerS * (1 - FOLLOWING), OWN_LEAST_PER_S))
  return { ownPerS, excitation: (1 - ownPerS / ordersPerS) / FOLLOWING }
}

/**
 * A Hawkes process near criticality: each order raises the rate of further ones, so orders come in
 * bursts of every length. Exponential kernels keep the cost of a step and an order constant,
 * however long the past is.
 */
class OrderArrivals {
  private readonly random: RandomSource
  private readonly stepDecay: number[]
  private readonly ownPerS: number
  private readonly excitation: number

  constructor(
    private readonly state: ArrivalState,
    ordersPerS: number,
    private readonly stepS: number,
  ) {
    const { ownPerS, excitation } = sharesOf(ordersPerS)
    this.ownPerS = ownPerS
    this.excitation = excitation
    this.random = randomSourceOf(state.random)
    this.stepDecay = KERNELS.map(({ meanS }) => Math.exp(-stepS / meanS))
  }

  /**
   * Times of the next step's orders, ascending, as fractions of the step. `activity` multiplies the
   * spontaneous rate; `more` is added to it, orders a second.
   */
  step(activity: number, more: number): readonly number[] {
    const { state, stepS, stepDecay } = this
    const base = this.ownPerS * activity + more
    const expected = this.expected(base, stepS, stepDecay)
    if (state.left <= expected) return this.arrivals(base, expected)
    state.left -= expected
    this.decay(stepDecay)
    return NONE
  }

  private arrivals(base: number, expectedInStep: number): number[] {
    const { state, stepS } = this
    const times: number[] = []
    let [fromS, expected] = [0, expectedInStep]
    while (state.left <= expected) {
      // Within a part of a step the rate is nearly constant.
      const waitS = ((stepS - fromS) * state.left) / expected
      fromS += waitS
      times.push(fromS / stepS)
      this.decay(decayOver(waitS))
      this.excite()
      expected = this.expected(base, stepS - fromS, decayOver(stepS - fromS))
    }
    state.left -= expected
    this.decay(decayOver(stepS - fromS))
    return times
  }

  private expected(base: number, spanS: number, decay: readonly number[]): number {
    const { excited } = this.state
    let sum = base * spanS
    for (let at = 0; at < excited.length; at++)
      sum += (excited[at] ?? 0) * (MEANS_S[at] ?? 0) * (1 - (decay[at] ?? 0))
    return sum
  }

  private decay(by: readonly number[]): void {
    const { excited } = this.state
    for (let at = 0; at < excited.length; at++) excited[at] = (excited[at] ?? 0) * (by[at] ?? 0)
  }

  private excite(): void {
    const { state, excitation } = this
    state.left = exponential(this.random, 1)
    for (let at = 0; at < KERNELS.length; at++) {
      const { orders, meanS } = KERNELS[at] as (typeof KERNELS)[number]
      state.excited[at] = (state.excited[at] ?? 0) + (excitation * orders) / meanS
    }
  }
}

function decayOver(spanS: number): number[] {
  return KERNELS.map(({ meanS }) => Math.exp(-spanS / meanS))
}
