/**
 * Models the same asset on another exchange: prices deviate a little from the venue's and revert,
 * volumes and open interest follow at a drifting share. Everything is a function of a salt and an
 * instant, independent of earlier queries.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../clock/instant.ts'
import { normalAt, pathAt, unitAt } from '../synth/distributions.ts'

/** Parameters of a pair on an exchange. Prices and basis are fractions. */
export interface ExchangeTraits {
  salt: number
  /** Salt common to all other exchanges, for what they have in common against the venue. */
  sharedSalt: number
  basis: { mean: number; sd: number }
  /** Mean volume and open interest relative to the venue's. */
  volume: number
  interest: number
  /** Standard deviation of the log of a minute's volume that is independent of the venue's. */
  ownVolume: number
  /** State of the venue's market; a calm one by default. */
  venue?: VenueMarket
}

/** State of the venue's market that other exchanges depend on besides its prices. */
export interface VenueMarket {
  /** Fear at an instant, 0 to 1. */
  fearAt(timeMs: number): number
  /** Change of the price elsewhere since the venue has halted, as a fraction. */
  driftAt(timeMs: number): number
}

const CALM: VenueMarket = { fearAt: () => 0, driftAt: () => 0 }
/** Growth of the deviation where fear is complete: arbitrage is slow then. */
const FEARFUL_BASIS = 14

interface PathPart {
  sd: number
  periodMs: number
}

/** The basis is linear between its knots. */
const KNOT_MS = 10 * SECOND_MS
/** Shares of a total deviation of one; the slow parts are linear within each minute. */
const FAST_BASIS: PathPart = { sd: 0.5, periodMs: KNOT_MS }
const SLOW_BASIS: readonly PathPart[] = [
  { sd: 0.6, periodMs: MINUTE_MS },
  { sd: 0.5, periodMs: 10 * MINUTE_MS },
  { sd: 0.37, periodMs: 8 * HOUR_MS },
]
/** Reach of single trades beyond the path, relative to the deviation of the basis. */
const WICK = 0.25
const VOLUME: readonly PathPart[] = [
  { sd: 0.16, periodMs: 3 * DAY_MS },
  { sd: 0.08, periodMs: 8 * HOUR_MS },
]
/** Relative to the deviation of a minute. */
const HOURLY_VOLUME = 0.45
const SHARED_VOLUME: readonly PathPart[] = [{ sd: 0.08, periodMs: 5 * HOUR_MS }]
const INTEREST: readonly PathPart[] = [
  { sd: 0.08, periodMs: 5 * DAY_MS },
  { sd: 0.025, periodMs: 13 * HOUR_MS },
  { sd: 0.006, periodMs: HOUR_MS },
  { sd: 0.0012, periodMs: 5 * MINUTE_MS },
]
const LEAN: readonly PathPart[] = [
  { sd: 0.35, periodMs: 2 * HOUR_MS },
  { sd: 0.5, periodMs: 8 * MINUTE_MS },
]
const OWN_LEAN = 0.7

export class ExchangeMotion {
  /** Expected values of the exponentials below are one. */
  private readonly volumeCorrection: number

  private readonly venue: VenueMarket

  constructor(private readonly of: ExchangeTraits) {
    this.venue = of.venue ?? CALM
    const parts = [...VOLUME, ...SHARED_VOLUME].reduce((sum, { sd }) => sum + sd ** 2, 0)
    this.volumeCorrection = (parts + of.ownVolume ** 2 * (1 + HOURLY_VOLUME ** 2)) / 2
  }

  /** Premium of the price over the venue's, as a fraction. */
  basisAt(timeMs: number): number {
    const { salt, basis } = this.of
    const fast = FAST_BASIS.sd * pathAt(salt ^ KNOT_MS, KNOT_MS, timeMs)
    const apart = basis.mean + this.deviation(timeMs) * (fast + pathSum(salt, SLOW_BASIS, timeMs))
    return apart + this.venue.driftAt(timeMs)
  }

  /** Standard deviation of the basis at an instant. */
  private deviation(timeMs: number): number {
    return this.of.basis.sd * (1 + FEARFUL_BASIS * this.venue.fearAt(timeMs))
  }

  /** Lowest and highest basis at which trades occur within a minute, until an instant of it. */
  basisRange(minuteMs: number, untilMs: number): [low: number, high: number] {
    const { salt, basis } = this.of
    const slow = pathSum(salt, SLOW_BASIS, minuteMs)
    const change = pathSum(salt, SLOW_BASIS, minuteMs + MINUTE_MS) - slow
    let [lowMove, highMove] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    let [lowDrift, highDrift] = [lowMove, highMove]
    for (let pastMs = 0; pastMs <= MINUTE_MS; pastMs += KNOT_MS) {
      const fast = FAST_BASIS.sd * pathAt(salt ^ KNOT_MS, KNOT_MS, minuteMs + pastMs)
      const move = fast + slow + (change * pastMs) / MINUTE_MS
      const drift = this.venue.driftAt(Math.min(untilMs, minuteMs + pastMs))
      lowMove = Math.min(lowMove, move)
      highMove = Math.max(highMove, move)
      lowDrift = Math.min(lowDrift, drift)
      highDrift = Math.max(highDrift, drift)
    }
    // The deviation is linear in time, so its extremes are at the ends.
    const [first, last] = [this.deviation(minuteMs), this.deviation(minuteMs + MINUTE_MS)]
    const low = Math.min(first * lowMove, last * lowMove) + lowDrift
    const high = Math.max(first * highMove, last * highMove) + highDrift
    const place = minuteMs / MINUTE_MS
    const reach = WICK * first
    const wick = (name: number) => -reach * Math.log(unitAt(salt ^ name, place))
    return [basis.mean + low - wick(LOW), basis.mean + high + wick(HIGH)]
  }

  /** Volume of a minute relative to the venue's. */
  volumeFactor(minuteMs: number): number {
    const { salt, sharedSalt, volume, ownVolume } = this.of
    const minute = normalAt(salt ^ MINUTES, minuteMs / MINUTE_MS)
    const hour = pathAt(salt ^ MINUTES, HOUR_MS, minuteMs)
    const shared = pathSum(sharedSalt, SHARED_VOLUME, minuteMs)
    const log = pathSum(salt ^ VOLUMES, VOLUME, minuteMs) + shared
    const own = ownVolume * (minute + HOURLY_VOLUME * hour)
    return volume * Math.exp(log + own - this.volumeCorrection)
  }

  /** Share of the minute's independent flow that takers buy. */
  buyPart(minuteMs: number): number {
    const salt = this.of.salt ^ FLOWS
    const noise = OWN_LEAN * normalAt(salt, minuteMs / MINUTE_MS)
    return 1 / (1 + Math.exp(-pathSum(salt, LEAN, minuteMs) - noise))
  }

  /** Open interest from a minute on, relative to the venue's. */
  interestFactor(minuteMs: number): number {
    return this.of.interest * Math.exp(pathSum(this.of.salt ^ INTERESTS, INTEREST, minuteMs))
  }
}

/** Separate uses of one salt. */
const [LOW, HIGH, MINUTES, VOLUMES, FLOWS, INTERESTS] = [
  0x1f3d5b79, 0x2e4c6a88, 0x3d5b7997, 0x4c6a88a6, 0x5b7997b5, 0x6a88a6c4,
] as const

/** Sum of several paths, each with a salt of its own. */
export function pathSum(salt: number, parts: readonly PathPart[], timeMs: number): number {
  let sum = 0
  for (const { sd, periodMs } of parts) sum += sd * pathAt(salt ^ periodMs, periodMs, timeMs)
  return sum
}
