/** Figures of funding, open interest and liquidations. */
import { DAY_MS, HOUR_MS, merged, returnsOf } from '../bars.ts'
import type { Closings, Observations } from '../observations.ts'
import { autocorrelation, correlation, pairwiseCorrelations } from '../statistics/correlation.ts'
import { deviation, mean } from '../statistics/moments.ts'
import { tailExponent } from '../statistics/power-law.ts'
import { median, partOf, quantile } from '../statistics/quantiles.ts'
import { LEADER } from './candle-figures.ts'
import type { Figure } from './figure.ts'

/** Hourly rate while the premium is small. */
const BASE_RATE = 0.0000125

export const FUNDING_FIGURES: readonly Figure[] = [
  {
    id: 'funding-alike',
    title: 'funding of perpetuals: largest correlation of a pair of coins',
    wanted: { max: 0.8 },
    held: { max: 0.9 },
    form: 'number',
    of: (seen) => {
      const pairs = pairwiseCorrelations([...seen.funding.values()].map(valuesOf))
      return pairs.length === 0 ? Number.NaN : Math.max(...pairs)
    },
  },
  {
    id: 'funding-base',
    source: 'h',
    title: 'funding: hours at the base rate, median coin',
    wanted: { min: 0.17, max: 0.85 },
    held: { min: 0.05, max: 0.9 },
    form: 'percent',
    of: (seen) => median(perCoin(seen, (rates) => partOf(rates, (rate) => rate === BASE_RATE))),
  },
  {
    id: 'funding-spells',
    title: 'funding: autocorrelation of the rate, lag 1, median coin',
    wanted: { min: 0.4, max: 0.98 },
    held: { min: 0.2 },
    form: 'number',
    of: (seen) =>
      median(perCoin(seen, (rates) => autocorrelation(rates, 1)).filter(Number.isFinite)),
  },
  {
    id: 'funding-size',
    title: 'funding: 95 of 100 hourly rates are smaller, basis points, median coin',
    wanted: { min: 0.2, max: 2 },
    held: { min: 0.1, max: 3 },
    form: 'number',
    of: (seen) => median(perCoin(seen, (rates) => 1e4 * quantile(rates.map(Math.abs), 0.95))),
  },
  {
    id: 'funding-elsewhere',
    title: 'BTC: correlation of funding here and on another exchange',
    wanted: { max: 0.95 },
    held: { max: 0.97 },
    form: 'number',
    of: (seen) => {
      const theirs = new Map(
        seen.elsewhere?.funding.map(({ timeMs, value }) => [hourOf(timeMs), value]),
      )
      const ours = (seen.funding.get(LEADER) ?? []).filter(({ timeMs }) =>
        theirs.has(hourOf(timeMs)),
      )
      return correlation(
        valuesOf(ours),
        ours.map(({ timeMs }) => theirs.get(hourOf(timeMs)) as number),
      )
    },
  },
]

export const INTEREST_FIGURES: readonly Figure[] = [
  {
    id: 'turnover-interest',
    title: "BTC: a day's turnover over open interest",
    wanted: { min: 0.5, max: 4 },
    held: { min: 0.2, max: 8 },
    form: 'number',
    of: (seen) => {
      const bars = merged(seen.minutes.get(LEADER) ?? [], DAY_MS)
      const interest = mean(valuesOf(seen.interest.get(LEADER) ?? []))
      return mean(bars.slice(1, -1).map(({ volume }) => volume)) / interest
    },
  },
  {
    id: 'interest-moves',
    title: 'BTC: change of open interest in an hour, 95 of 100 are smaller',
    wanted: { max: 0.03 },
    held: { max: 0.06 },
    form: 'percent',
    of: (seen) => {
      const values = valuesOf(seen.interest.get(LEADER) ?? [])
      return quantile(
        values.slice(1).map((value, at) => Math.abs(value / (values[at] as number) - 1)),
        0.95,
      )
    },
  },
  {
    id: 'interest-fall',
    title: 'BTC: open interest at the end over its mean of 30 days',
    wanted: { min: 0.6, max: 1.5 },
    held: { min: 0.5, max: 2 },
    form: 'number',
    of: (seen) => {
      const values = valuesOf(seen.interest.get(LEADER) ?? [])
      return (values.at(-1) ?? Number.NaN) / mean(values)
    },
  },
]

export const LIQUIDATION_FIGURES: readonly Figure[] = [
  {
    id: 'liquidation-hours',
    title: 'hours before the tape with a liquidation, all coins',
    wanted: { min: 0.95 },
    held: { min: 0.8 },
    form: 'percent',
    of: (seen) => partOf(closingHours(seen), ({ long, short }) => long + short > 0),
  },
  {
    id: 'liquidation-sides',
    title: 'hours before the tape with liquidations of both sides',
    wanted: { min: 0.6 },
    held: { min: 0.3 },
    form: 'percent',
    of: (seen) => partOf(closingHours(seen), ({ long, short }) => long > 0 && short > 0),
  },
  {
    id: 'liquidation-tail',
    title: 'exponent of the tail of their values (largest tenth)',
    wanted: { min: 0.8, max: 2 },
    held: { min: 0.5, max: 4 },
    form: 'number',
    of: (seen) => tailExponent(seen.closingSizes, 0.1),
  },
  {
    id: 'liquidations-in-moves',
    title: 'BTC: liquidated in hours of a move over 2 deviations, over that of other hours',
    wanted: { min: 3, max: 80 },
    held: { min: 1.2 },
    form: 'number',
    of: (seen) => inMoves(seen),
  },
]

const valuesOf = (readings: readonly { value: number }[]): number[] =>
  readings.map(({ value }) => value)

const hourOf = (timeMs: number): number => Math.floor(timeMs / HOUR_MS)

function perCoin({ funding }: Observations, of: (rates: number[]) => number): number[] {
  return [...funding.values()].map((readings) => of(valuesOf(readings)))
}

/** Whole hours before the tape, of all coins or of one. */
function closingHours({ closings, startMs }: Observations, coin?: string): Closings[] {
  const lists = coin === undefined ? [...closings.values()] : [closings.get(coin) ?? []]
  const hours = new Map<number, Closings>()
  for (const { timeMs, long, short } of lists.flat()) {
    const hour = hourOf(timeMs)
    if ((hour + 1) * HOUR_MS > startMs) continue
    const sum = hours.get(hour) ?? { timeMs: hour * HOUR_MS, long: 0, short: 0 }
    hours.set(hour, { timeMs: sum.timeMs, long: sum.long + long, short: sum.short + short })
  }
  return [...hours.values()]
}

function inMoves(seen: Observations): number {
  const bars = merged(seen.minutes.get(LEADER) ?? [], HOUR_MS).filter(
    ({ timeMs }) => timeMs < seen.startMs,
  )
  const returns = returnsOf(bars)
  const limit = 2 * deviation(returns)
  const moved = new Map(
    bars.map(({ timeMs }, at) => [timeMs, Math.abs(returns[at] as number) > limit]),
  )
  const values = closingHours(seen, LEADER)
  const meanWhere = (isMove: boolean) =>
    mean(
      values
        .filter(({ timeMs }) => moved.get(timeMs) === isMove)
        .map(({ long, short }) => long + short),
    )
  return meanWhere(true) / meanWhere(false)
}
