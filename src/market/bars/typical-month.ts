/**
 * A month as months usually are. Chance makes some of them unlike any market's: wild hours that
 * nothing leads to, or a week twice as busy as the next. Such a month is drawn again.
 */
import { MINUTE_MS } from '../../clock/durations.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { activityAt, type Trading } from './activity-hours.ts'
import { hoursOf, type MarketTraits, type MinuteMoves, monthOf } from './minute-moves.ts'

/** Of so many months at most, the first that strays so little from usual ones is taken. */
const MONTHS_MOST = 8
const STRAYING_MOST = 0.8
/** The first month of a seed is kept up to here: others would change a world for little. */
const FIRST_MOST: Straying = { persistence: 1, turnover: STRAYING_MOST }

/** Autocorrelation of absolute hourly returns: its middle, and how far it may be from that. */
const PERSISTENCE = [
  { lag: 1, middle: 0.25, most: 0.1 },
  { lag: 6, middle: 0.14, most: 0.06 },
  { lag: 24, middle: 0.09, most: 0.06 },
]
/** Most over least that is traded at the hour of the end, a month to an hour before it. */
const TURNOVER_FACTOR = 1.5
const SPANS_DAYS = [
  { from: 24, to: 29 },
  { from: 4, to: 10 },
  { from: 1, to: 4 },
]

const HOUR = 60
const DAY = 24 * HOUR
/** Less is no month. */
const MONTH_MINUTES = 30 * DAY

/**
 * The minutes up to `endMs`, at which volatility and turnover are as usual.
 *
 * Means over all seeds are those of the traits: a day's variance, and a turnover of one.
 */
export function minuteMoves(
  traits: readonly MarketTraits[],
  minutes: number,
  endMs: number,
  random: RandomSource,
): MinuteMoves[] {
  const movesAt = movesInTurn(traits, minutes, endMs, random)
  return traits.map((_, place) => movesAt(place))
}

/** The same by place, each drawn when it is asked for first: those who use it begin earlier. */
export function movesInTurn(
  traits: readonly MarketTraits[],
  minutes: number,
  endMs: number,
  random: RandomSource,
): (place: number) => MinuteMoves {
  const hours = new Map(traits.map(({ trading }) => [trading, hoursOf(trading, minutes, endMs)]))
  const month = (source: RandomSource) => monthOf(traits, hours, minutes, source)
  const leader = leaderOf(traits)
  if (leader === undefined || minutes < MONTH_MINUTES) return month(random)
  const { trading } = traits[leader] as MarketTraits
  let [best, least] = [month(random), Number.POSITIVE_INFINITY]
  for (let draw = 0; draw < MONTHS_MOST; draw++) {
    const drawn = draw === 0 ? best : month(random.fork(`month ${draw}`))
    const { persistence, turnover } = strayingOf(drawn(leader), trading, endMs)
    const straying = Math.max(persistence, turnover)
    if (straying < least) [best, least] = [drawn, straying]
    if (draw === 0 && persistence <= FIRST_MOST.persistence && turnover <= FIRST_MOST.turnover)
      break
    if (least < STRAYING_MOST) break
  }
  return best
}

/** The place of what moves most as all do. */
function leaderOf(traits: readonly MarketTraits[]): number | undefined {
  const most = Math.max(...traits.map(({ marketShare }) => marketShare))
  const place = traits.findIndex(({ marketShare }) => marketShare === most)
  return place < 0 ? undefined : place
}

/** Distances from the usual: up to one a month is like real ones. */
interface Straying {
  persistence: number
  turnover: number
}

function strayingOf(moves: MinuteMoves, trading: Trading, endMs: number): Straying {
  const sizes = sumsOfHours(moves.returns).map(Math.abs)
  const distances = PERSISTENCE.map(
    ({ lag, middle, most }) => Math.abs(autocorrelation(sizes, lag) - middle) / most,
  )
  const levels = [1, ...turnoverLevels(moves.turnover, trading, endMs)]
  const factor = Math.max(...levels) / Math.min(...levels)
  return {
    persistence: Math.max(...distances),
    turnover: Math.log(factor) / Math.log(TURNOVER_FACTOR),
  }
}

/** Turnover against what its hour has: of the last hour, and around the same one of days before. */
function turnoverLevels(turnover: Float64Array, trading: Trading, endMs: number): number[] {
  const end = turnover.length
  const activityOf = (at: number) => activityAt(trading, endMs - (end - at) * MINUTE_MS)
  const level = (from: number, to: number) => {
    let [traded, usual] = [0, 0]
    for (let at = from; at < to; at++) {
      traded += turnover[at] as number
      usual += activityOf(at)
    }
    return traded / usual
  }
  const days = SPANS_DAYS.map(({ from, to }) => {
    const like = Array.from({ length: to - from + 1 }, (_, at) => end - (from + at) * DAY).filter(
      (at) => activityOf(at) === activityOf(end),
    )
    return mean(like.map((at) => level(at - HOUR, at + HOUR)))
  })
  return [...days.filter((one) => one > 0), level(end - HOUR, end)]
}

function sumsOfHours(column: Float64Array): number[] {
  return Array.from({ length: Math.floor(column.length / HOUR) }, (_, hour) =>
    column.subarray(hour * HOUR, (hour + 1) * HOUR).reduce((sum, one) => sum + one, 0),
  )
}

function autocorrelation(list: readonly number[], lag: number): number {
  const middle = mean(list)
  const apart = list.map((one) => one - middle)
  const products = apart.slice(lag).map((one, at) => one * (apart[at] as number))
  return mean(products) / mean(apart.map((one) => one * one))
}

/** Not a number for none. */
const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
