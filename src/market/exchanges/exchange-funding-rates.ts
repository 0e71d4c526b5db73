/**
 * Funding rates over all exchanges. The tape's own venue charges each hour and shows the rate of an
 * hour; the other exchanges charge each eight hours and show the rate of eight. Each has a premium
 * of its own besides the mood that it shares with the own venue; where it is small, the rate is
 * that of the interest alone.
 */
import { HOUR_MS } from '../../clock/durations.ts'
import type { TapeMs } from '../../clock/instant.ts'
import { rate as hourly, type Rate, raw, times } from '../../decimal/quantity.ts'
import { format } from '../../decimal/scaled.ts'
import { pathSum } from '../bars/exchange-motion.ts'
import { fundingRateSeries } from '../rows/funding-rates.ts'
import type { ValueMapping } from '../rows/step-series.ts'
import { type InstrumentRow, RATE_DECIMALS } from '../schema/schema.ts'
import type { World } from '../world/world.ts'
import { interestFactor } from './exchange-interest.ts'
import { type Exchange, exchangesListing, saltsOf } from './exchanges.ts'
import { hourOf } from './own-minutes.ts'

/** The rate of eight hours of an exchange; the own venue's is counted over eight. */
export function exchangeFundingRate(
  world: World,
  of: InstrumentRow,
  exchange: Exchange | null,
  rate: Rate,
  timeMs: TapeMs,
): Rate {
  if (exchange === null) return times(rate, HOURS)
  return premiumRate(world, of, `funding of ${of.coin} on ${exchange.key}`, rate, timeMs)
}

/** The mean of the exchanges, weighted by their open interest. */
export function weightedFundingRate(
  world: World,
  of: InstrumentRow,
  rate: Rate,
  timeMs: TapeMs,
): Rate {
  const hourMs = hourOf(timeMs)
  let [sum, weights] = [0, 0]
  for (const exchange of exchangesListing(of)) {
    const weight = interestFactor(world, exchange, of, hourMs)
    sum += weight * raw(exchangeFundingRate(world, of, exchange, rate, timeMs))
    weights += weight
  }
  return hourly(Math.round(sum / weights))
}

/** The weighted rate as it stands, as text; null before the first. */
export function currentWeightedRate(world: World, of: InstrumentRow, atMs: TapeMs): string | null {
  return currentRate(world, of, atMs, (rate, timeMs) =>
    weightedFundingRate(world, of, rate, timeMs),
  )
}

/** The same of contracts that are settled in the coin. */
export function currentCoinMarginRate(
  world: World,
  of: InstrumentRow,
  atMs: TapeMs,
): string | null {
  const name = `funding of coin-margined ${of.coin}`
  return currentRate(world, of, atMs, (rate, timeMs) => premiumRate(world, of, name, rate, timeMs))
}

function currentRate(world: World, of: InstrumentRow, atMs: TapeMs, mapping: ValueMapping<Rate>) {
  const rate = fundingRateSeries(world).at(of, atMs, mapping)
  return rate === null ? null : fundingRateText(rate)
}

/** A rate as decimal text. */
export const fundingRateText = (rate: Rate): string => format(raw(rate), RATE_DECIMALS)

/** Hours that the rate of another exchange is for. */
const HOURS = 8

/** The rate of the interest over eight hours, 10^-10, and how far a premium may be from it. */
const BASE = 1_000_000
const BAND = 2_500_000
/** How much of the own venue's premium an exchange has. */
const SHARED = 0.7
/** Its own one, 10^-10 of a coin with the venue's highest leverage, and how it moves. */
const PREMIUM_SD = 3_400_000
const HIGHEST_LEVERAGE = 40
const PREMIUM = [
  { sd: 0.6, periodMs: 7 * HOUR_MS },
  { sd: 0.8, periodMs: 60 * HOUR_MS },
]
/** In steps of 10^-8, as exchanges quote it. */
const STEP = 100
const MOST = 75_000_000

/**
 * The rate that follows from the own venue's premium and one of its own; rising with the former.
 */
function premiumRate(
  world: World,
  of: InstrumentRow,
  name: string,
  rate: Rate,
  timeMs: TapeMs,
): Rate {
  const above = raw(rate) * HOURS - BASE
  const shared = SHARED * (above + Math.sign(above) * BAND)
  const sd = PREMIUM_SD * (HIGHEST_LEVERAGE / Math.max(of.maxLeverage, 3)) ** 0.5
  const own = sd * pathSum(saltsOf(world)(name), PREMIUM, hourOf(timeMs))
  const premium = shared + own
  const beyond = Math.sign(premium) * Math.max(0, Math.abs(premium) - BAND)
  return hourly(Math.round(Math.max(-MOST, Math.min(MOST, BASE + beyond)) / STEP) * STEP)
}
