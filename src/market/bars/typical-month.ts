/**
 * Draws a typical month. Chance makes some months unlike any market's: wild hours without a
 * build-up, or a week twice as busy as the next. Such a month is drawn again. Of the first months
 * of 40 seeds, 21 meet all three bounds of persistence below, and 32 that of turnover.
 */

import { MINUTE_MS } from '../../clock/instant.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { activityAt, type Trading } from './market-regimes.ts'
import { hoursOf, type MarketTraits, type MinuteMoves, monthOf } from './minute-moves.ts'

/** The first of at most this many months that is typical enough is taken. */
const MONTHS_MOST = 8
const DEVIATION_MAX = 0.8
/** Tolerance for a seed's first month: a redraw would change a world for little. */
const FIRST_MOST: Deviation = { persistence: 1, turnover: DEVIATION_MAX }

/** Autocorrelation of absolute hourly returns: its centre and tolerance. */
const PERSISTENCE = [
  { lag: 1, middle: 0.25, most: 0.1 },
  { lag: 6, middle: 0.14, most: 0.06 },
  { lag: 24, middle: 0.09, most: 0.06 },
]
/**
 * Bound of the ratio between turnovers at the final hour of day, over a month up to an hour before
 * the end.
 */
const TURNOVER_FACTOR = 1.5
const SPANS_DAYS = [
  { from: 24, to: 29 },
  { from: 4, to: 10 },
  { from: 1, to: 4 },
]

const HOUR = 60
const DAY = 24 * HOUR
/** Shorter spans are not checked. */
const MONTH_MINUTES = 30 * DAY

/**
 * Draws the minutes up to `endMs`, at which volatility and turnover are as usual.
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

/** The same by index, each drawn when first read, so that readers begin earlier. */
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
    const { persistence, turnover } = deviationOf(drawn(leader), trading, endMs)
    const deviation = Math.max(persistence, turnover)
    if (deviation < least) [best, least] = [drawn, deviation]
    if (draw === 0 && persistence <= FIRST_MOST.persistence && turnover <= FIRST_MOST.turnover)
      break
    if (least < DEVIATION_MAX) break
  }
  return best
}

/** Index of the instrument that follows the common factor most. */
function leaderOf(traits: readonly MarketTraits[]): number | undefined {
  const most = Math.max(...traits.map(({ marketShare }) => marketShare))
  const place = traits.findIndex(({ marketShare }) => marketShare === most)
  return place < 0 ? undefined : place
}

/** Deviations from the usual: up to one, a month is like real ones. */
interface Deviation {
  persistence: number
  turnover: number
}

function deviationOf(moves: MinuteMoves, trading: Trading, endMs: number): Deviation {
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

/** Turnover relative to its hour's: in the last hour, and around the same hour on earlier days. */
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

/** NaN for an empty list. */
const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length

// Activity of a market by hour and day, relative to its weekly mean.
