/**
 * Funding rates over all exchanges. The tape's own venue charges each hour and shows the rate of an
 * hour; the other exchanges charge each eight hours and show the rate of eight, which is eight
 * times the venue's and an offset of their own.
 */
import type { TapeMs } from '../../clock/instant.ts'
import { add, rate as hourly, type Rate, raw, times } from '../../decimal/quantity.ts'
import { divide, format } from '../../decimal/scaled.ts'
import { randomSource } from '../../random/random-source.ts'
import { perWorld } from '../per-world.ts'
import { fundingRateSeries } from '../rows/funding-rates.ts'
import type { ValueMapping } from '../rows/step-series.ts'
import { type InstrumentRow, RATE_DECIMALS } from '../schema.ts'
import type { World } from '../world.ts'
import type { Exchange } from './derived-books.ts'
import { exchangeSharesOf, exchangesListing } from './exchange-shares.ts'

/** The rate of eight hours of an exchange; the own venue's is counted over eight. */
export function exchangeFundingRate(
  world: World,
  of: InstrumentRow,
  exchange: Exchange | null,
  rate: Rate,
  timeMs: TapeMs,
): Rate {
  if (exchange === null) return times(rate, HOURS)
  return add(times(rate, HOURS), rateOffset(world, `${of.coin} on ${exchange.key}`, timeMs))
}

/** Sum of share x rate over the exchanges, over the sum of their shares. */
export function weightedFundingRate(
  world: World,
  of: InstrumentRow,
  rate: Rate,
  timeMs: TapeMs,
): Rate {
  const shares = exchangeSharesOf(world)
  let [sum, weights] = [0, 0]
  for (const exchange of exchangesListing(of)) {
    const weight = shares.stablecoinShare(exchange, of)
    sum += weight * raw(exchangeFundingRate(world, of, exchange, rate, timeMs))
    weights += weight
  }
  return hourly(divide(sum, weights))
}

/** The weighted rate as it stands, as text; null before the first. */
export function currentWeightedRate(world: World, of: InstrumentRow, atMs: TapeMs): string | null {
  const mapping: ValueMapping<Rate> = (rate, timeMs) => weightedFundingRate(world, of, rate, timeMs)
  const rate = fundingRateSeries(world).at(of, atMs, mapping)
  return rate === null ? null : fundingRateText(rate)
}

/** The same of contracts that are settled in the coin. */
export function currentCoinMarginRate(
  world: World,
  of: InstrumentRow,
  atMs: TapeMs,
): string | null {
  const mapping: ValueMapping<Rate> = (rate, timeMs) =>
    add(
      weightedFundingRate(world, of, rate, timeMs),
      rateOffset(world, `coins of ${of.coin}`, timeMs),
    )
  const rate = fundingRateSeries(world).at(of, atMs, mapping)
  return rate === null ? null : fundingRateText(rate)
}

/** A rate as decimal text. */
export const fundingRateText = (rate: Rate): string => format(raw(rate), RATE_DECIMALS)

/** Hours that the rate of another exchange is for. */
const HOURS = 8
const HOUR_MS = 3_600_000

/** What an exchange adds of its own, 10^-10 of eight hours; another one each hour. */
function rateOffset(world: World, name: string, timeMs: TapeMs): Rate {
  return hourly(rateOffsetsOf(world)(name, Math.floor(timeMs / HOUR_MS)))
}

/** In steps of 10^-6; a usual rate of eight hours is 10^-4. */
const OFFSET_STEP = 10_000

const rateOffsetsOf = perWorld(({ meta: { seed } }) => {
  const drawn = new Map<string, number>()
  const draw = (name: string, limit: number) => {
    const before = drawn.get(name)
    if (before !== undefined) return before
    const value = randomSource(seed, name).between(-limit, limit)
    drawn.set(name, value)
    return value
  }
  return (name: string, hour: number) =>
    OFFSET_STEP * (draw(`rates of ${name}`, 10) + draw(`rate of ${name} in hour ${hour}`, 6))
})
