/**
 * Funding rates as they stood. The tape's own venue charges each hour and shows the rate of an
 * hour; the other exchanges charge each eight hours and show the rate of eight, which is eight
 * times the venue's and an offset of their own.
 */

import type { TapeMs } from '../../../clock/instant.ts'
import type { HistoryQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { HistoryCandle } from '../../../contract/records/futures-history.ts'
import { add, rate as hourly, type Rate, raw, times } from '../../../decimal/quantity.ts'
import { divide, format } from '../../../decimal/scaled.ts'
import { randomSource } from '../../../random/random-source.ts'
import type { Contract } from '../../exchanges/contracts.ts'
import type { Exchange } from '../../exchanges/derived-books.ts'
import { exchangeSharesOf, exchangesListing } from '../../exchanges/exchange-shares.ts'
import { perWorld } from '../../per-world.ts'
import { columns } from '../../rows/columns.ts'
import { StepSeries, type ValueMapping } from '../../rows/step-series.ts'
import { funding, type InstrumentRow, RATE_DECIMALS } from '../../schema.ts'
import { intervalEdges } from '../../shown-time/interval-edges.ts'
import type { World } from '../../world.ts'
import { candlesOf, type ValueText } from './history-candles.ts'

/** Rates of one pair. */
export function fundingRatesOf(
  world: World,
  moment: Moment,
  contract: Contract,
  query: HistoryQuery,
) {
  const { instrument, exchange } = contract
  const counted: ValueMapping<Rate> = (rate, timeMs) =>
    exchange === null ? rate : exchangeRate(world, instrument, exchange, rate, timeMs)
  return rateCandles(world, moment, instrument, query, counted)
}

/** Rates of eight hours over all exchanges. */
export function weightedFundingRatesOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
) {
  const counted: ValueMapping<Rate> = (rate, timeMs) => weightedRate(world, of, rate, timeMs)
  return rateCandles(world, moment, of, query, counted)
}

/** The weighted rate as it stands, as text; null before the first. */
export function currentWeightedRate(world: World, of: InstrumentRow, atMs: TapeMs): string | null {
  const counted: ValueMapping<Rate> = (rate, timeMs) => weightedRate(world, of, rate, timeMs)
  const rate = ratesOf(world).at(of, atMs, counted)
  return rate === null ? null : rateText(rate)
}

/** The same of contracts that are settled in the coin. */
export function currentCoinMarginRate(
  world: World,
  of: InstrumentRow,
  atMs: TapeMs,
): string | null {
  const counted: ValueMapping<Rate> = (rate, timeMs) =>
    add(weightedRate(world, of, rate, timeMs), rateOffset(world, `coins of ${of.coin}`, timeMs))
  const rate = ratesOf(world).at(of, atMs, counted)
  return rate === null ? null : rateText(rate)
}

/** Hours that the rate of another exchange is for. */
const HOURS = 8
const HOUR_MS = 3_600_000

function rateCandles(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
  counted: ValueMapping<Rate>,
): HistoryCandle[] {
  const firstMs = firstRate(world)(of.id)
  if (firstMs === null) return []
  const edges = intervalEdges(query, moment, firstMs)
  return candlesOf(edges, ratesOf(world).candles(of, edges, counted), rateText)
}

const rateText: ValueText<Rate> = (rate) => format(raw(rate), RATE_DECIMALS)

/** The rate of eight hours of an exchange; the own venue's counted over eight. */
export function exchangeRate(
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
function weightedRate(world: World, of: InstrumentRow, rate: Rate, timeMs: TapeMs): Rate {
  const shares = exchangeSharesOf(world)
  let [sum, weights] = [0, 0]
  for (const exchange of exchangesListing(of)) {
    const weight = shares.stablecoinShare(exchange, of)
    sum += weight * raw(exchangeRate(world, of, exchange, rate, timeMs))
    weights += weight
  }
  return hourly(divide(sum, weights))
}

/** What an exchange adds of its own, 10^-10 of eight hours; another one each hour. */
function rateOffset(world: World, name: string, timeMs: TapeMs): Rate {
  return hourly(rateOffsetsOf(world)(name, Math.floor(timeMs / HOUR_MS)))
}

/** In steps of 10^-6; a usual rate of eight hours is 10^-4. */
const OFFSET_STEP = 10_000

const rateOffsetsOf = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, number>()
  const throwOf = (name: string, sides: number) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const value = randomSource(seed, name).between(-sides, sides)
    known.set(name, value)
    return value
  }
  return (name: string, hour: number) =>
    OFFSET_STEP * (throwOf(`rates of ${name}`, 10) + throwOf(`rate of ${name} in hour ${hour}`, 6))
})

const RATES = columns({ timeMs: funding.timeMs, rate: funding.rate })

/** Rates of an hour as they stood. */
export const ratesOf = perWorld((world) => {
  const from = 'from funding where instrument = ?'
  return new StepSeries(world, {
    between: RATES.prepare<[instrument: number, fromMs: TapeMs, toMs: TapeMs]>(
      world.db,
      `${from} and timeMs >= ? and timeMs < ? order by timeMs, charged`,
    ),
    before: RATES.prepare<[instrument: number, atMs: TapeMs]>(
      world.db,
      `${from} and timeMs <= ? order by timeMs desc, charged desc limit 1`,
    ),
    value: (_, { rate }) => rate,
  })
})

/** Time of the first rate of an instrument. */
const firstRate = perWorld(({ db }) => {
  const first = columns({ timeMs: funding.timeMs }).prepare<[instrument: number]>(
    db,
    'from funding where instrument = ? order by timeMs limit 1',
  )
  return (instrument: number) => first.get(instrument)?.timeMs ?? null
})
