import { type RandomSource, type RandomState, randomSourceOf } from '../../random/random-source.ts'
import { exponential } from './distributions.ts'

/** Orders that one order brings about on average, and how soon: three exponential kernels. */
const KERNELS = [
  { orders: 0.73, meanS: 0.12 },
  { orders: 0.13, meanS: 1.2 },
  { orders: 0.05, meanS: 25 },
] as const
const MEANS_S = KERNELS.map(({ meanS }) => meanS)
/** Orders that follow from another one, and the least that come of themselves a second. */
const FOLLOWING = KERNELS.reduce((sum, { orders }) => sum + orders, 0)
const OWN_LEAST_PER_S = 0.08

const NONE: readonly number[] = []

/** Arrivals of one instrument as plain data. */
export interface ArrivalState {
  random: RandomState
  /** What each kernel adds to the rate now, orders a second. */
  excited: number[]
  /** Expected orders until the next one. */
  left: number
}

/** Arrivals before the first order. */
export function newArrivals(random: RandomState): ArrivalState {
  return { random, excited: KERNELS.map(() => 0), left: exponential(randomSourceOf(random), 1) }
}

/** Arrivals as they are met at any time; `activity` multiplies the rate of those that come. */
export function metArrivals(
  random: RandomState,
  ordersPerS: number,
  activity: number,
): ArrivalState {
  const { left } = newArrivals(random)
  const { excitation } = sharesOf(ordersPerS)
  const caused = activity * ordersPerS * excitation
  return { random, excited: KERNELS.map(({ orders }) => caused * orders), left }
}

/** Orders a second that come of themselves, and how strongly each excites further ones. */
function sharesOf(ordersPerS: number): { ownPerS: number; excitation: number } {
  // Orders of what is hardly traded follow from one another less, or whole minutes had none.
  const ownPerS = Math.min(ordersPerS, Math.max(ordersPerS * (1 - FOLLOWING), OWN_LEAST_PER_S))
  return { ownPerS, excitation: (1 - ownPerS / ordersPerS) / FOLLOWING }
}

/**
 * A Hawkes process near criticality: each order raises the rate of further ones, so orders come in
 * bursts of every length. Exponential kernels make a step and an order cost the same, however long
 * the past is.
 */
export class OrderArrivals {
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
   * Times of the orders of the next step, rising, as parts of the step. `activity` multiplies the
   * rate of orders that come of themselves; `more` is added to it, orders a second.
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
      // Within a part of a step the rate hardly changes.
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
