/** Liquidations of crowd positions that the price reaches, as single ones in order of time. */

import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import {
  type ClosedShares,
  type CrowdState,
  crowdAfter,
  type FearState,
  fearAfter,
  LeveragedCrowd,
  noteFear,
  TURNED_PER_MINUTE,
} from '../crowd/leveraged-crowd.ts'
import { lognormal, roundLots } from '../synth/distributions.ts'
import { type InstrumentProfile, volatilityBp } from '../synth/instrument-profile.ts'
import type { LiquidationCascade } from '../synth/mood.ts'

export interface ForcedClosing {
  /** Index of the minute. */
  minute: number
  /** Side of the liquidated position. */
  position: 'long' | 'short'
  /** Value, dollars. */
  usd: number
}

const TAIL_EXPONENT = 1.15
const SIZE_MAX = 3000
/** Mean of these sizes, relative to the least. */
const MEAN_SIZE = (TAIL_EXPONENT / (TAIL_EXPONENT - 1)) * (1 - SIZE_MAX ** (1 - TAIL_EXPONENT))
/** Liquidations for reasons of their owners, such as losses elsewhere: share of a minute. */
const STRAY_PER_MINUTE = 1e-6
/** Minutes between two turnovers of the crowd. */
const TURN_MINUTES = 10

/** Minutes of an instrument with its open interest. */
export interface ForcedMinutes {
  /** Prices of each minute. */
  low: ArrayLike<number>
  high: ArrayLike<number>
  close: ArrayLike<number>
  /** Traded size of each minute. */
  size: (minute: number) => number
  /** Open interest of each minute, dollars. */
  interestUsd: (minute: number) => number
  maxLeverage: number
  /** Value of the smallest liquidation, dollars. */
  leastUsd: number
}

/** The liquidations of an instrument, minute by minute. */
export function forcedClosings(of: ForcedMinutes, random: RandomSource): ForcedClosing[] {
  const { low, high, close, maxLeverage, leastUsd } = of
  const found: ForcedClosing[] = []
  const minutes = close.length
  let mean = 0
  for (let minute = 0; minute < minutes; minute++) mean += of.size(minute) / minutes
  const logs = new Float64Array(minutes).map((_, at) => Math.log(close[at] as number))
  const crowd = new LeveragedCrowd(crowdAfter([logs[0] ?? 0], maxLeverage), maxLeverage)
  const pools = { long: new ClosingPool(random), short: new ClosingPool(random) }
  let traded = 0
  for (let minute = 0; minute < minutes; minute++) {
    traded += of.size(minute)
    const isTurn = minute % TURN_MINUTES === TURN_MINUTES - 1
    const turned = isTurn && mean > 0 ? (TURNED_PER_MINUTE * traded) / mean : 0
    if (isTurn) traded = 0
    const held = crowd.held
    const closed = crowd.pass({
      low: Math.log(low[minute] as number),
      high: Math.log(high[minute] as number),
      close: logs[minute] as number,
      turned,
    })
    const usd = of.interestUsd(minute) / held
    for (const position of POSITIONS)
      for (const size of pools[position].sizes(
        (closed[position] + STRAY_PER_MINUTE) * usd,
        leastUsd,
      ))
        found.push({ minute, position, usd: size })
  }
  return found
}

const POSITIONS = ['long', 'short'] as const

/** Divides an amount that has come together into single positions. */
class ClosingPool {
  private pending = 0
  private next = 0

  constructor(private readonly random: RandomSource) {}

  /** Adds an amount, and takes out what makes whole positions. */
  sizes(amount: number, least: number): number[] {
    const found: number[] = []
    this.pending += amount
    for (;;) {
      this.next ||= least * drawnSize(this.random)
      if (this.pending < this.next) return found
      found.push(this.next)
      this.pending -= this.next
      this.next = 0
    }
  }
}

/** Size of a position relative to the least one. */
const drawnSize = (random: RandomSource) =>
  Math.min(SIZE_MAX, (1 - random.unit()) ** (-1 / TAIL_EXPONENT))

type Position = (typeof POSITIONS)[number]

/** A market's leveraged crowd, as plain data. */
export interface ClosingState {
  random: RandomState
  maxLeverage: number
  crowd: CrowdState
  fear: FearState
  /** Usual open interest, lots. */
  usual: number
  /** Time of the last turnover, ms since the start. */
  turnedMs: number
  /** Lots that are closed next: by liquidation, and by stops. */
  pending: Record<Position, number>
  stops: Record<Position, number>
  /** Lots of the next liquidation. */
  next: Record<Position, number>
  /** Lots that an event has liquidated before the price reached them. */
  covered: Record<Position, number>
}

/** What is known of a crowd before its first step. */
export interface CrowdOpening {
  /** Closes of the last minutes, oldest first, any unit; the last is the present price. */
  closes?: readonly number[] | undefined
  maxLeverage?: number | undefined
  /** Open interest, lots. */
  interest: number
}

/** Leverage of venues where nothing is known of it. */
const USUAL_LEVERAGE = 25

/** Before the first step; null for instruments without positions. */
export function newClosings(
  key: string,
  profile: InstrumentProfile,
  { closes = [], maxLeverage = USUAL_LEVERAGE, interest }: CrowdOpening,
): ClosingState | null {
  if (profile.kind !== 'perp') return null
  const random = randomState(key, 'closings')
  const known = closes.length > 0 ? closes : [1]
  const last = Math.log(known.at(-1) as number)
  // Logarithms relative to the first price of the market.
  const logs = known.map((px) => Math.log(px) - last)
  const crowd = crowdAfter(logs, maxLeverage)
  const fear = fearAfter(logs.slice(-FEARFUL_MINUTES), usualSigma(profile))
  const none = () => ({ long: 0, short: 0 })
  return {
    random,
    maxLeverage,
    crowd,
    fear,
    usual: interest / Math.max(LEAST_HELD, crowd.held),
    turnedMs: 0,
    pending: none(),
    stops: none(),
    next: none(),
    covered: none(),
  }
}

const LEAST_HELD = 0.05
const FEARFUL_MINUTES = 30
/** Seconds move by more than a profile's volatility: noise and trades add to it. */
const SEEN_VOLATILITY = 1.3

/** Usual deviation of a second's move. */
const usualSigma = (profile: InstrumentProfile) => SEEN_VOLATILITY * 1e-4 * volatilityBp(profile)

/** Liquidations' share of the usual turnover, and their usual number in an hour. */
const TURNOVER_SHARE = 0.004
const PER_HOUR = { ofThousand: 1.6, exponent: 0.4, most: 6 }
/** Mean order relative to the median one. */
const MEAN_TO_MEDIAN = 3.4
/** Most liquidations of a side between two marks: in a cascade they are larger instead. */
const AT_ONCE_MOST = 6
const TURN_MS = TURN_MINUTES * 60_000

/** The leveraged crowd of a market: the positions that its marks reach are closed by orders. */
export class CrowdClosings {
  private readonly random: RandomSource
  private readonly crowd: LeveragedCrowd
  private readonly leastUsd: number
  private readonly sigma: number

  constructor(
    profile: InstrumentProfile,
    private readonly state: ClosingState,
  ) {
    this.random = randomSourceOf(state.random)
    this.crowd = new LeveragedCrowd(state.crowd, state.maxLeverage)
    const usdPerS = profile.ordersPerS * profile.orderUsd * MEAN_TO_MEDIAN
    this.leastUsd = leastLiquidation(usdPerS)
    this.sigma = usualSigma(profile)
  }

  /** Fear of the market, 0 to 1. */
  get fear(): number {
    return this.state.fear.fear
  }

  /** Imbalance of the crowd, parts of the open interest. */
  get imbalance(): number {
    return this.crowd.imbalance
  }

  /**
   * Notes a mark, relative to the market's first price, logarithm; returns the orders that close
   * positions until the next one, in order of time.
   */
  onMark(fromMs: number, spanMs: number, log: number, lotUsd: number): PlannedLiquidation[] {
    const { state, crowd } = this
    noteFear(state.fear, log, spanMs / 1000, this.sigma)
    this.collect(crowd.move(log), spanMs)
    if (fromMs - state.turnedMs >= TURN_MS) {
      crowd.turn((TURNED_PER_MINUTE * (fromMs - state.turnedMs)) / 60_000)
      state.turnedMs = fromMs
    }
    const found: PlannedLiquidation[] = []
    for (const position of POSITIONS) {
      for (const lots of this.sizes(position, lotUsd))
        found.push({ atMs: this.instant(fromMs, spanMs), position, lots })
      const stopped = Math.floor(state.stops[position])
      state.stops[position] -= stopped
      for (const lots of parted(stopped, this.leastUsd / lotUsd))
        found.push({ atMs: this.instant(fromMs, spanMs), position, lots, isStop: true })
    }
    return found.sort((a, b) => a.atMs - b.atMs)
  }

  /** Takes lots that an event liquidates: the price will not find them any more. */
  cover(position: Position, lots: number): void {
    this.state.covered[position] += lots
  }

  /** Takes back lots of stops that the book could not fill. */
  putBack(position: Position, lots: number): void {
    this.state.stops[position] += lots
  }

  private collect(closed: ClosedShares, spanMs: number): void {
    const { state } = this
    const stray = (STRAY_PER_MINUTE * spanMs) / 60_000
    for (const position of POSITIONS) {
      const reached = closed[position] * state.usual
      const covered = Math.min(state.covered[position], reached)
      state.covered[position] -= covered
      state.pending[position] += reached - covered + stray * state.usual
      state.stops[position] += closed[`${position}Stops`] * state.usual
    }
  }

  private instant(fromMs: number, spanMs: number): number {
    return fromMs + this.random.between(1, Math.max(1, spanMs - 1))
  }

  private sizes(position: Position, lotUsd: number): number[] {
    const { state, random } = this
    const found: number[] = []
    const least = this.leastUsd / lotUsd
    const isCrowded = state.pending[position] > CROWDED * AT_ONCE_MOST * MEAN_SIZE * least
    while (found.length < AT_ONCE_MOST) {
      state.next[position] ||= Math.max(1, Math.round(least * drawnSize(random)))
      const share =
        (state.pending[position] / (AT_ONCE_MOST - found.length)) * (0.5 + random.unit())
      const large = isCrowded ? Math.floor(Math.min(share, state.pending[position])) : 0
      const lots = Math.max(state.next[position], large)
      if (state.pending[position] < lots) return found
      found.push(lots)
      state.pending[position] -= lots
      state.next[position] = 0
    }
    return found
  }
}

/** Pending positions, relative to the most that are closed at once, from which they are larger. */
const CROWDED = 1.5
/** Most stop orders between two marks. */
const STOPS_MOST = 8

/** Lots in orders of about a size. */
function parted(lots: number, about: number): number[] {
  const count = Math.min(STOPS_MOST, Math.max(1, Math.round(lots / Math.max(1, 4 * about))))
  const cut = (nth: number) => Math.floor((lots * nth) / count)
  return Array.from({ length: count }, (_, nth) => cut(nth + 1) - cut(nth)).filter((one) => one > 0)
}

/** Value of the smallest liquidation in a market of so many dollars a second. */
export function leastLiquidation(usdPerS: number): number {
  const { ofThousand, exponent, most } = PER_HOUR
  const perHour = Math.min(most, ofThousand * (usdPerS / 1000) ** exponent)
  return (TURNOVER_SHARE * usdPerS * 3600) / (perHour * MEAN_SIZE)
}

/** A position that will be liquidated. */
export interface PlannedLiquidation {
  /** Milliseconds since the start of the tape. */
  atMs: number
  position: LiquidationCascade['position']
  lots: number
  /** Whether its owner closes it by a stop order before it is liquidated. */
  isStop?: true
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
