/**
 * The regimes of a market: what its past draws backwards from the tape and its future forward from
 * it. Levels are logarithms, zero where the tape shows the market, and stray from there with the
 * half-lives of their parts.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import { hashAt, normalAt } from '../synth/distributions.ts'

/** A process that reverts to 0, by its deviation and half-life. */
export interface RevertingPart {
  /** Long-run standard deviation. */
  sd: number
  /** In steps of a path: minutes. */
  halfLife: number
}

/** Volatility of the whole market: parts of minutes, hours, days and weeks. */
export const MARKET_VOLATILITY: readonly RevertingPart[] = [
  { sd: 0.25, halfLife: 10 },
  { sd: 0.5, halfLife: 240 },
  { sd: 0.6, halfLife: 1400 },
  { sd: 0.12, halfLife: 14_400 },
]
/** Volatility of an instrument's own moves. */
export const OWN_VOLATILITY: readonly RevertingPart[] = [
  { sd: 0.28, halfLife: 90 },
  { sd: 0.32, halfLife: 1500 },
]
/** Turnover of an instrument besides what its moves and volatility draw. */
export const OWN_TURNOVER: readonly RevertingPart[] = [
  { sd: 0.25, halfLife: 20 },
  { sd: 0.16, halfLife: 360 },
  { sd: 0.1, halfLife: 4000 },
]
/** Open interest, besides what trends open and strong moves close. */
export const INTEREST_SWINGS: readonly RevertingPart[] = [
  { sd: 0.004, halfLife: 200 },
  { sd: 0.035, halfLife: 6000 },
  { sd: 0.05, halfLife: 28_800 },
]
/** Premium of a perpetual in deviations: the whole market's part, and those of the instrument. */
export const SHARED_PREMIUM: readonly RevertingPart[] = [{ sd: 0.5, halfLife: 1800 }]
export const OWN_PREMIUM: readonly RevertingPart[] = [
  { sd: 0.5, halfLife: 240 },
  { sd: 0.62, halfLife: 2400 },
]
/** Half-life of what the tape shows of a premium, in minutes. */
export const PREMIUM_HALF_LIFE = 720
/** Closed positions are opened again within days: half-life in minutes. */
export const REBUILD_HALF_LIFE = 2500

/** Response of turnover to the market's volatility and the instrument's own. */
export const TURNOVER_BY_VOLATILITY = { market: 0.45, own: 0.35 }

/** Volatility follows the hour less than turnover does. */
export const HOUR_EXPONENT = 0.65

/** Bound of the market volatility's logarithm in both directions. */
const LEVEL_MOST = 1.8

/** A level with its variance over all seeds. */
export interface Level {
  level: number
  variance: number
}

/** Compresses a large deviation of the market's volatility; its mean square stays (fitted). */
export function bounded({ level, variance }: Level): Level {
  return {
    level: LEVEL_MOST * Math.tanh(level / LEVEL_MOST),
    variance: variance / (1 + (1.2 * variance) / LEVEL_MOST ** 2),
  }
}

/** `exp(level)`, scaled so that the mean of its `power` over all seeds is one. */
export const expected = ({ level, variance }: Level, power: number): number =>
  Math.exp(level - (power * variance) / 2)

/** The logarithm of what is `exponent x level`, scaled between median and mean. */
export const usual = ({ level, variance }: Level, exponent: number): number =>
  exponent * level - (exponent ** 2 / 4) * variance

/** Usual deviation of premiums at a daily volatility; larger in wilder coins. */
const PREMIUM_SPREAD = { spread: 0.0008, dailyVolatility: 0.024, exponent: 0.35 }
/** Premium that the venue's interest rate alone implies. */
export const USUAL_PREMIUM = 0.0001
/**
 * Buyers pay more for leverage than sellers, and more after a rise; after liquidations the other
 * side is the larger one: deviations per part of the open interest, up to so large a part.
 */
const LEANING = { above: 1.1, below: 0.4, byTrend: 0.3, byLosses: 10, lossesMost: 0.25 }

export function premiumSpread(dailyVolatility: number): number {
  const { spread, dailyVolatility: usualOne, exponent } = PREMIUM_SPREAD
  return spread * (dailyVolatility / usualOne) ** exponent
}

/**
 * A premium's distance from the usual one.
 *
 * @param deviation sum of its parts
 * @param trend of the price, in its own deviations
 * @param imbalance of the crowd: shorts less longs that it has lost, parts of the open interest
 */
export function premiumOf(
  spread: number,
  deviation: number,
  trend: number,
  imbalance: number,
): number {
  const { byTrend, byLosses, lossesMost } = LEANING
  const lost = Math.max(-lossesMost, Math.min(lossesMost, imbalance))
  const wanted = deviation + byTrend * Math.max(-3, Math.min(3, trend)) + byLosses * lost
  // Arbitrage between both markets limits large deviations.
  const held = wanted / (0.75 + 0.3 * Math.abs(wanted))
  return spread * held * (held > 0 ? LEANING.above : LEANING.below)
}

/** Logarithm by which open interest grows per deviation of the price's trend. */
const INTEREST_BY_TREND = 0.0035

export const interestByTrend = (trend: number): number =>
  INTEREST_BY_TREND * Math.max(-4, Math.min(4, trend))

/**
 * Response of turnover to moves, in variances: those of the minute and of earlier ones. A move
 * beyond `most` adds no more.
 */
const BY_MOVE = { floor: 0.7, now: 0.3, before: 0.6, most: 100, exponent: 0.5, mean: 1.36 }

/** Turnover for a move of the minute and one of the last hour, in standard deviations. */
export function turnoverByMoves(move: number, earlier: number): number {
  const { floor, now, before, most, exponent, mean } = BY_MOVE
  const variance = now * Math.min(most, move ** 2) + before * Math.min(most, earlier ** 2)
  return (floor + variance) ** exponent / mean
}

/** Half-life of the moves that turnover follows, in minutes. */
export const TURNOVER_TREND = 30

// Activity by hour and day, relative to its weekly mean.

/** By hour of the day, UTC: highest in American trading hours, lowest in Europe's early morning. */
const BY_HOUR = [
  ...[1.05, 0.98, 0.85, 0.77, 0.7, 0.62, 0.58, 0.61, 0.68, 0.72, 0.75, 0.86],
  ...[1.08, 1.5, 1.85, 1.78, 1.5, 1.22, 1.08, 1.02, 0.96, 0.9, 0.84, 0.92],
]
const WEEKEND = 0.55
/** Mean of a week with five working days and a weekend. */
const MEAN = (BY_HOUR.reduce((sum, part) => sum + part, 0) / 24) * ((5 + 2 * WEEKEND) / 7)

/** New York's session is 14:30 to 21:00 UTC in winter. */
const SESSION = { fromMs: 14.5 * HOUR_MS, toMs: 21 * HOUR_MS }
/** Half of a day's variance occurs in the session. */
const IN_SESSION = 2
const OUT_OF_SESSION = 0.75
const STOCK_WEEKEND = 0.12
const STOCK_MEAN =
  (5 * (IN_SESSION * (6.5 / 24) + OUT_OF_SESSION * (17.5 / 24)) + 2 * STOCK_WEEKEND) / 7

/** Trading calendar of an instrument. */
export type Trading = 'always' | 'stock'

/** Turnover at an instant relative to the weekly mean. */
export function activityAt(trading: Trading, timeMs: number): number {
  const ofDayMs = timeMs % DAY_MS
  const isWeekend = (Math.floor(timeMs / DAY_MS) + 3) % 7 >= 5
  if (trading === 'stock') {
    const isOpen = ofDayMs >= SESSION.fromMs && ofDayMs < SESSION.toMs
    return (isWeekend ? STOCK_WEEKEND : isOpen ? IN_SESSION : OUT_OF_SESSION) / STOCK_MEAN
  }
  const hour = Math.floor(ofDayMs / HOUR_MS)
  const part = ofDayMs / HOUR_MS - hour
  const [here, next] = [BY_HOUR[hour] as number, BY_HOUR[(hour + 1) % 24] as number]
  return ((here * (1 - part) + next * part) * (isWeekend ? WEEKEND : 1)) / MEAN
}

// The future: levels as functions of a salt and the instant, independent of when they are read.

/** Knots of a half-life, between which a level is linear. */
const KNOTS = 8
/** What was drawn so many half-lives ago is forgotten. */
const REMEMBERED = 7
const KEPT = 2 ** (-1 / KNOTS)
const STEP = Math.sqrt((1 - KEPT ** 2) / (1 - KEPT ** (2 * KNOTS * REMEMBERED)))

/** A path of variance 1 at a knot. */
function knotAt(salt: number, knot: number): number {
  let [sum, weight] = [0, STEP]
  for (let back = 0; back < KNOTS * REMEMBERED; back++) {
    sum += weight * normalAt(salt, knot - back)
    weight *= KEPT
  }
  return sum
}

/** Between knots, a path is halved by draws of its own down to this length, and linear below. */
const FINE_MS = 4 * MINUTE_MS

/** One part of a level, read in any order; the ends around an instant are kept. */
class ForwardPart {
  private readonly salt: number
  private readonly knotMs: number
  /** Halvings of the time between two knots, and their deviations. */
  private readonly bends: readonly number[]
  private readonly since: number
  private place = Number.NaN
  private ends: [number, number] = [0, 0]

  constructor(
    private readonly part: RevertingPart,
    salt: number,
    private readonly sinceMs: number,
  ) {
    this.salt = hashAt(salt, part.halfLife)
    this.knotMs = (part.halfLife * MINUTE_MS) / KNOTS
    const halvings = Math.max(0, Math.ceil(Math.log2(this.knotMs / FINE_MS)))
    this.bends = Array.from({ length: halvings }, (_, nth) =>
      Math.sqrt(Math.LN2 / (2 * KNOTS * 2 ** nth)),
    )
    this.since = this.pathAt(sinceMs)
  }

  addTo(sum: Level, timeMs: number): void {
    const { sd, halfLife } = this.part
    const kept = 2 ** (-(timeMs - this.sinceMs) / MINUTE_MS / halfLife)
    sum.level += sd * (this.pathAt(timeMs) - kept * this.since)
    sum.variance += sd ** 2 * (1 - kept ** 2)
  }

  private pathAt(timeMs: number): number {
    const fine = (timeMs / this.knotMs) * 2 ** this.bends.length
    const place = Math.floor(fine)
    if (place !== this.place) {
      this.place = place
      this.ends = this.endsAt(place)
    }
    const part = fine - place
    return this.ends[0] * (1 - part) + this.ends[1] * part
  }

  /** The path at both ends of one of the finest intervals. */
  private endsAt(place: number): [number, number] {
    const { salt, bends } = this
    const knot = Math.floor(place / 2 ** bends.length)
    let [from, to] = [knotAt(salt, knot), knotAt(salt, knot + 1)]
    for (const [nth, bend] of bends.entries()) {
      const half = Math.floor(place / 2 ** (bends.length - 1 - nth))
      const middle = (from + to) / 2 + bend * normalAt(hashAt(salt, nth + 1), Math.floor(half / 2))
      if (half % 2 === 0) to = middle
      else from = middle
    }
    return [from, to]
  }
}

/** A level from an instant on, at which it is zero. */
export class ForwardLevel {
  private readonly parts: readonly ForwardPart[]

  constructor(parts: readonly RevertingPart[], salt: number, sinceMs: number) {
    this.parts = parts.map((part) => new ForwardPart(part, salt, sinceMs))
  }

  at(timeMs: number): Level {
    const sum = { level: 0, variance: 0 }
    for (const part of this.parts) part.addTo(sum, timeMs)
    return sum
  }
}

/** Part of a volatility's regime that is left so many minutes before or after a tape. */
export const regimeLeft = (minutes: number): number => leftOf(MARKET_VOLATILITY, minutes)

/** Part of a tape's unusual volatility that its last minutes alone do not explain. */
const UNUSUAL_PART = 0.75

/** What is left of an unusual volatility, at a part that is left of its regime. */
export const unusualLeft = (unusual: number, left: number): number =>
  unusual ** (UNUSUAL_PART * left)

/** Part that is left of what is unusual at first, as each of the parts forgets it. */
export function leftOf(parts: readonly RevertingPart[], minutes: number): number {
  let [left, all] = [0, 0]
  for (const { sd, halfLife } of parts) {
    left += sd ** 2 * 2 ** (-minutes / halfLife)
    all += sd ** 2
  }
  return left / all
}

/** Means of a price's logarithm over the last time, as plain data; null before its first minute. */
export interface TrendState {
  turnover: number | null
  positions: number | null
  /** Logarithm at the end of the last minute, and its move. */
  last: number | null
  move: number
}

export const newTrends = (): TrendState => ({
  turnover: null,
  positions: null,
  last: null,
  move: 0,
})

/** Trends of a price: how far it is from its means of the last half hour and of the last day. */
export class PriceTrends {
  /** @param minuteSigma usual deviation of a minute's return */
  constructor(
    private readonly minuteSigma: number,
    private readonly state: TrendState = newTrends(),
  ) {}

  /** Takes the logarithm of the price at the end of a minute. */
  add(log: number): void {
    const { state } = this
    const { turnover, positions } = MEANS
    // Unknown moves before are taken for usual ones: one deviation.
    const usualMean = log - this.minuteSigma * turnover.minutes
    state.turnover =
      state.turnover === null ? usualMean : log + turnover.kept * (state.turnover - log)
    state.positions =
      state.positions === null ? log : log + positions.kept * (state.positions - log)
    state.move = state.last === null ? this.minuteSigma : log - state.last
    state.last = log
  }

  /** The last minute's move, in usual deviations of a minute. */
  move(): number {
    const { move, last } = this.state
    return last === null ? 1 : move / this.minuteSigma
  }

  /** The trend that turnover follows, or positions, in its own deviations. */
  of(use: keyof typeof MEANS): number {
    const { [use]: mean, last } = this.state
    return last === null || mean === null
      ? Number(use === 'turnover')
      : (last - mean) / (this.minuteSigma * MEANS[use].minutes)
  }
}

const MEANS = { turnover: meanOver(TURNOVER_TREND), positions: meanOver(360) }

/** A mean of a half-life in minutes; its trend deviates by the root of so many minutes. */
function meanOver(halfLife: number) {
  const kept = 2 ** (-1 / halfLife)
  return { halfLife, kept, minutes: Math.sqrt(kept ** 2 / (1 - kept ** 2)) }
}
