/** When positions are liquidated: always some, many more when the price runs against them. */
import type { RandomSource } from '../../random/random-source.ts'

export interface ForcedClosing {
  /** Place of the minute. */
  minute: number
  /** The side that is closed. */
  position: 'long' | 'short'
  /** Its value against the least that is told, 1 or more. */
  size: number
}

/** Moves that liquidate nobody but the careless, in standard deviations of a minute and an hour. */
const CALM = { minute: 1.5, hour: 0.9 }
/** How fast liquidations become more beyond that, against a calm minute. */
const GROWTH = { minute: 0.5, hour: 9 }
/** They come in bursts: a part of each minute's is carried into the next. */
const CARRIED = 0.35
const COUNT_MAX = 12
/** What a calm minute counts: those liquidations are of either side. */
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

/** What is closed in one minute, and what of it is carried into the next. */
interface MinuteClosings {
  found: Omit<ForcedClosing, 'minute'>[]
  excited: number
}

/**
 * The liquidations of one minute after moves of a minute and of an hour, in standard deviations;
 * `excited` is what the minute before has carried on.
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
