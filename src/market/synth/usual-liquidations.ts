import { MINUTE_MS } from '../../clock/durations.ts'
import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import { minuteClosings } from '../bars/forced-closings.ts'
import { type InstrumentProfile, volatilityBp } from './instrument-profile.ts'
import type { PlannedLiquidation } from './planned-liquidations.ts'

/** What liquidations outside cascades follow from, as plain data. */
export interface ClosingState {
  random: RandomState
  /** Logarithm of the price a minute ago; null before the first minute. */
  log: number | null
  /** Move of the last hour or so, and variance of a minute's. */
  hour: number
  variance: number
  /** What that has been over days. */
  usual: number
  /** What is carried on from the last minute. */
  excited: number
}

/** How fast the move of an hour, and the variance, forget, by the minute. */
const FORGETTING = { hour: 1 / 60, variance: 1 / 240 }
/** Minutes move by more than a profile's volatility: what wanders and what is traded adds to it. */
const SEEN_VOLATILITY = 1.3
const LATELY = 0.5
/** Variance of such a move against that of a minute. */
const HOUR_VARIANCE = 1 / (1 - (1 - FORGETTING.hour) ** 2)
/** How many there are in a calm hour where a thousand dollars a second are traded. */
const PER_HOUR = { ofThousand: 1.6, exponent: 0.4, most: 6 }
/** Share of the turnover that is liquidations, and the mean of their sizes against the least. */
const TURNOVER_SHARE = 0.004
const MEAN_SIZE = 10
/** Mean order against the median one. */
const MEAN_TO_MEDIAN = 3.4
/** None is larger than so many levels of the book. */
const LEVELS_MOST = 12

/**
 * Before the first minute; null for what has no positions. `volatility` is what there is against
 * the profile's: who borrows most has been liquidated by what was usual lately.
 */
export function newClosings(
  key: string,
  profile: InstrumentProfile,
  volatility = 1,
): ClosingState | null {
  if (profile.kind !== 'perp') return null
  const random = randomState(key, 'closings')
  const usual = usualVariance(profile) * volatility ** 2
  return { random, log: null, hour: 0, variance: usual, usual, excited: 0.6 }
}

/** Of a minute's move, as it is over weeks. */
const usualVariance = (profile: InstrumentProfile) =>
  (SEEN_VOLATILITY * volatilityBp(profile) * 1e-4) ** 2 * 60

/** Liquidations of positions that nobody looks up: some always, more when the price runs. */
export class UsualLiquidations {
  private readonly random: RandomSource
  private readonly perHour: number
  private readonly leastUsd: number

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly state: ClosingState,
  ) {
    this.random = randomSourceOf(state.random)
    const usdPerS = profile.ordersPerS * profile.orderUsd * MEAN_TO_MEDIAN
    const { ofThousand, exponent, most } = PER_HOUR
    this.perHour = Math.min(most, ofThousand * (usdPerS / 1000) ** exponent)
    this.leastUsd = (TURNOVER_SHARE * usdPerS * 3600) / (this.perHour * MEAN_SIZE)
  }

  /** Those of the minute that begins `fromMs` after the start, in order of time. */
  ofMinute(fromMs: number, log: number, lotUsd: number): PlannedLiquidation[] {
    const { state, random } = this
    const move = state.log === null ? 0 : log - state.log
    state.log = log
    state.hour += move - FORGETTING.hour * state.hour
    const expected = LATELY * state.variance + (1 - LATELY) * state.usual
    const moves = {
      minute: move / Math.sqrt(expected),
      hour: state.hour / Math.sqrt(expected * HOUR_VARIANCE),
    }
    state.variance +=
      FORGETTING.variance * (Math.min(move ** 2, 25 * state.variance) - state.variance)
    const { found, excited } = minuteClosings(moves, this.perHour, state.excited, random)
    state.excited = excited
    return found
      .map(({ position, size }) => {
        const usd = Math.min(size * this.leastUsd, LEVELS_MOST * this.profile.levelUsd)
        const lots = Math.max(1, Math.round(usd / lotUsd))
        return { atMs: fromMs + random.between(0, MINUTE_MS - 1), position, lots }
      })
      .sort((a, b) => a.atMs - b.atMs)
  }
}
