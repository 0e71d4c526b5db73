/** Draws liquidations: a base rate, and many more when the price moves against positions. */

import { MINUTE_MS } from '../../clock/instant.ts'
import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import { lognormal, roundLots } from '../synth/distributions.ts'
import { type InstrumentProfile, volatilityBp } from '../synth/instrument-profile.ts'
import type { LiquidationCascade } from '../synth/mood.ts'

export interface ForcedClosing {
  /** Index of the minute. */
  minute: number
  /** Side of the liquidated position. */
  position: 'long' | 'short'
  /** Value relative to the smallest reported one, 1 or more. */
  size: number
}

/** Moves up to these standard deviations of a minute and an hour cause only the base rate. */
const CALM = { minute: 1.5, hour: 0.9 }
/** Growth of the rate beyond that, relative to a calm minute. */
const GROWTH = { minute: 0.5, hour: 9 }
/** Liquidations come in bursts: this part of each minute's excitation carries over to the next. */
const CARRIED = 0.35
const COUNT_MAX = 12
/** Weight of the base rate, whose liquidations are of either side. */
const CALM_PART = 0.6
const TAIL_EXPONENT = 1.15
const SIZE_MAX = 3000
const HOUR_MIN = 60

/**
 * The liquidations of an instrument.
 *
 * @param returns logarithmic returns of its minutes
 * @param sigma their standard deviations as they were expected
 * @param perHour how many there are in a calm hour
 */
export function forcedClosings(
  returns: Float64Array,
  sigma: Float64Array,
  perHour: number,
  random: RandomSource,
): ForcedClosing[] {
  const found: ForcedClosing[] = []
  let [hourMove, hourVariance, excited] = [0, 0, 0]
  for (let minute = 0; minute < returns.length; minute++) {
    const [move, deviation] = [returns[minute] as number, sigma[minute] as number]
    hourMove += move
    hourVariance += deviation * deviation
    if (minute >= HOUR_MIN) {
      hourMove -= returns[minute - HOUR_MIN] as number
      hourVariance -= (sigma[minute - HOUR_MIN] as number) ** 2
    }
    const moves = { minute: move / deviation, hour: hourMove / Math.sqrt(hourVariance) }
    const closings = minuteClosings(moves, perHour, excited, random)
    excited = closings.excited
    for (const { position, size } of closings.found) found.push({ minute, position, size })
  }
  return found
}

/** Liquidations of one minute and the excitation carried into the next. */
interface MinuteClosings {
  found: Omit<ForcedClosing, 'minute'>[]
  excited: number
}

/**
 * Draws the liquidations of one minute after moves of a minute and of an hour, in standard
 * deviations; `excited` is carried over from the minute before.
 */
export function minuteClosings(
  { minute, hour }: { minute: number; hour: number },
  perHour: number,
  excitedBefore: number,
  random: RandomSource,
): MinuteClosings {
  const quick = Math.max(0, Math.abs(minute) - CALM.minute)
  const slow = Math.max(0, Math.abs(hour) - CALM.hour)
  const heat = CALM_PART + GROWTH.minute * quick ** 2 + GROWTH.hour * slow ** 2
  const excited = CARRIED * excitedBefore + (1 - CARRIED) * heat
  const count = Math.min(COUNT_MAX, countAround((perHour / 60) * excited, random))
  const falls = quick > 0 ? minute < 0 : hour < 0
  const found: MinuteClosings['found'] = []
  while (found.length < count) {
    const long = random.chance(CALM_PART / heat) ? random.chance(0.5) : falls
    const size = Math.min(SIZE_MAX, (1 - random.unit()) ** (-1 / TAIL_EXPONENT))
    found.push({ position: long ? 'long' : 'short', size })
  }
  return { found, excited }
}

/** A whole number of independent events (Poisson's law). */
function countAround(mean: number, random: RandomSource): number {
  let [count, left] = [0, Math.exp(-Math.min(mean, 30))]
  for (let draw = random.unit(); draw > left; count++) draw *= random.unit()
  return count
}

/** State of liquidations outside cascades, as plain data. */
export interface ClosingState {
  random: RandomState
  /** Logarithm of the price a minute ago; null before the first minute. */
  log: number | null
  /** Move of the last hour or so, and variance of a minute's. */
  hour: number
  variance: number
  /** Its mean over days. */
  usual: number
  /** Excitation carried over from the last minute. */
  excited: number
}

/** Decay of the hourly move, and of the variance, per minute. */
const FORGETTING = { hour: 1 / 60, variance: 1 / 240 }
/** Minutes move by more than a profile's volatility: noise and trades add to it. */
const SEEN_VOLATILITY = 1.3
const LATELY = 0.5
/** Variance of such a move relative to that of a minute. */
const HOUR_VARIANCE = 1 / (1 - (1 - FORGETTING.hour) ** 2)
/** Rate per calm hour at a turnover of a thousand dollars a second. */
const PER_HOUR = { ofThousand: 1.6, exponent: 0.4, most: 6 }
/** Liquidations' share of the turnover, and the mean of their sizes relative to the smallest. */
const TURNOVER_SHARE = 0.004
const MEAN_SIZE = 10
/** Mean order relative to the median one. */
const MEAN_TO_MEDIAN = 3.4
/** Limit of a size in levels of the book. */
const LEVELS_MOST = 12

/**
 * Before the first minute; null for instruments without positions. `volatility` is relative to the
 * profile's: the highest leverage was liquidated by recent moves.
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

/** Long-run variance of a minute's move. */
const usualVariance = (profile: InstrumentProfile) =>
  (SEEN_VOLATILITY * volatilityBp(profile) * 1e-4) ** 2 * 60

/** Liquidations of crowd positions: a base rate, and more in strong moves. */
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

  /** Liquidations of the minute that begins `fromMs` after the start, in order of time. */
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

/** A position that will be liquidated. */
export interface PlannedLiquidation {
  /** Milliseconds since the start of the tape. */
  atMs: number
  position: LiquidationCascade['position']
  lots: number
}

/** Size of the largest liquidation, in levels of the book: over a million dollars of BTC. */
const LARGEST_LEVELS = [14, 20] as const

/**
 * The liquidations of one instrument in one cascade, in order of time.
 *
 * They begin some time into the move and are most frequent in the middle; one of them, on the
 * instruments with four or more, is far larger than the rest.
 */
export function plannedLiquidations(
  profile: InstrumentProfile,
  cascade: LiquidationCascade,
  lotUsd: number,
  random: RandomSource,
): PlannedLiquidation[] {
  const { position, fromMs, toMs } = cascade
  const span = toMs - fromMs
  const largest = profile.liquidations >= 4 ? Math.floor(profile.liquidations / 2) : -1
  return Array.from({ length: profile.liquidations }, () => {
    const part = 0.22 + 0.74 * ((random.unit() + random.unit()) / 2)
    return fromMs + Math.floor(part * span)
  })
    .sort((a, b) => a - b)
    .map((atMs, index) => {
      const usual = Math.min(8, lognormal(random, 0.4, 1.5))
      const levels = index === largest ? random.between(...LARGEST_LEVELS) : usual
      return { atMs, position, lots: roundLots(random, (levels * profile.levelUsd) / lotUsd) }
    })
}
