/** Statistics of one coin that must be alike before the tape and after it. */
import { activityAt } from '../../../src/market/bars/market-regimes.ts'
import { type Bar, DAY_MS, dollarsOf, HOUR_MS, merged, returnsOf } from '../bars.ts'
import type { Closings, Reading } from '../observations.ts'
import type { SpanOfCoin } from '../readings/spans.ts'
import { autocorrelation, correlation } from '../statistics/correlation.ts'
import { deviation, kurtosis, mean } from '../statistics/moments.ts'
import { tailExponent } from '../statistics/power-law.ts'
import { median, partOf } from '../statistics/quantiles.ts'
import type { Figure, Range } from './figure.ts'

/** One statistic of a coin over a span. */
export interface SpanFigure {
  id: string
  title: string
  form: Figure['form']
  /** Whether it is compared in markets of a mood too: it is a shape, not a level. */
  isShape: boolean
  /**
   * Least and greatest of the real months by coin, `*` for the others: the venue's candles and
   * funding of September 2024 to July 2025 in ten windows of thirty days, its minutes of five days.
   */
  real: Readonly<Record<string, Range>>
  /** NaN without observations. `leader` is the most traded coin over the same span. */
  of: (span: SpanOfCoin, leader: SpanOfCoin) => number
}

/** Rate of an hour at which a perpetual without premium is funded. */
const BASE_RATE = 0.0000125

export const SPAN_FIGURES: readonly SpanFigure[] = [
  {
    id: 'volatility',
    title: 'volatility a year, of hourly returns',
    form: 'percent',
    isShape: false,
    real: {},
    of: (span) => deviation(hourly(span)) * Math.sqrt(365 * 24),
  },
  {
    id: 'kurtosis',
    title: 'kurtosis of hourly returns',
    form: 'number',
    isShape: false,
    real: { BTC: { min: 6.6, max: 17 } },
    of: (span) => kurtosis(hourly(span)),
  },
  {
    id: 'persistence',
    title: 'autocorrelation of absolute hourly returns, lag 1',
    form: 'number',
    isShape: true,
    real: { BTC: { min: 0.08, max: 0.36 } },
    of: (span) => autocorrelation(hourly(span).map(Math.abs), 1),
  },
  {
    id: 'daily-volatility',
    title: 'deviation of the logarithm of a day’s volatility',
    form: 'number',
    isShape: true,
    real: {},
    of: (span) => deviation(byDay(span).map((day) => Math.log(deviation(returnsOf(day))))),
  },
  {
    id: 'volume-move',
    title: 'correlation of absolute hourly return and logarithm of volume',
    form: 'number',
    isShape: true,
    real: { BTC: { min: 0.5, max: 0.6 } },
    of: (span) => correlation(hourly(span).map(Math.abs), hours(span).map(logVolume)),
  },
  {
    id: 'turnover',
    title: 'turnover of a day, apart from what its hours and weekends usually have',
    form: 'dollars',
    isShape: false,
    real: {},
    of: ({ minutes, fromMs, toMs }) => {
      const usual = (bar: Bar) => dollarsOf(bar) / activityAt('always', bar.timeMs)
      return (minutes.reduce((sum, bar) => sum + usual(bar), 0) * DAY_MS) / (toMs - fromMs)
    },
  },
  {
    id: 'minute-volume',
    title: 'deviation of the logarithm of a minute’s volume',
    form: 'number',
    isShape: true,
    real: { BTC: { min: 1.1, max: 1.6 } },
    of: ({ minutes }) => deviation(minutes.filter(({ volume }) => volume > 0).map(logVolume)),
  },
  {
    id: 'minute-kurtosis',
    title: 'kurtosis of returns of a minute',
    form: 'number',
    isShape: false,
    real: { BTC: { min: 5, max: 30 } },
    of: ({ minutes }) => kurtosis(returnsOf(minutes)),
  },
  {
    id: 'minute-tail',
    title: 'exponent of the tail of returns of a minute (largest hundredth)',
    form: 'number',
    isShape: false,
    real: { BTC: { min: 3, max: 5.5 } },
    of: ({ minutes }) => tailExponent(returnsOf(minutes).map(Math.abs), 0.01),
  },
  {
    id: 'opens',
    title: 'minutes that open at another price than the last close',
    form: 'percent',
    isShape: true,
    real: { '*': { min: 0.55, max: 0.87 } },
    of: ({ minutes }) =>
      partOf(
        minutes.slice(1).map((bar, at) => bar.open !== minutes[at]?.close),
        Boolean,
      ),
  },
  {
    id: 'day-shape',
    title: 'turnover of the busiest hour of the day over that of the quietest',
    form: 'number',
    isShape: true,
    real: { '*': { min: 3, max: 6.4 } },
    of: (span) => Math.max(...byHourOfDay(span)) / Math.min(...byHourOfDay(span)),
  },
  {
    id: 'with-leader',
    title: 'correlation of hourly returns with BTC',
    form: 'number',
    isShape: true,
    real: { '*': { min: 0.6, max: 0.9 } },
    of: (span, leader) =>
      span === leader ? Number.NaN : correlation(hourly(span), hourly(leader)),
  },
  {
    id: 'base-funding',
    title: 'hours funded at the base rate',
    form: 'percent',
    isShape: false,
    real: { '*': { min: 0.17, max: 0.85 } },
    of: ({ funding }) => partOf(funding, ({ value }) => Math.abs(value - BASE_RATE) < 1e-9),
  },
  {
    id: 'negative-funding',
    title: 'hours with negative funding',
    form: 'percent',
    isShape: false,
    real: { HYPE: { min: 0.01, max: 0.08 } },
    of: ({ funding }) => partOf(funding, ({ value }) => value < 0),
  },
  {
    id: 'funding-trend',
    title: 'correlation of funding and the return of a day',
    form: 'number',
    isShape: true,
    real: { '*': { min: 0, max: 0.35 } },
    of: (span) => fundingWithTrend(span),
  },
  {
    id: 'interest-moves',
    title: 'deviation of the change of open interest in an hour',
    form: 'percent',
    isShape: true,
    real: { '*': { min: 0.003, max: 0.015 } },
    of: ({ interest }) => deviation(logChanges(interest)),
  },
  {
    id: 'interest-drift',
    title: 'open interest at the end over that of the beginning, in coins',
    form: 'number',
    isShape: true,
    real: { '*': { min: 0.75, max: 1.35 } },
    of: ({ interest }) => (interest.at(-1)?.value ?? Number.NaN) / (interest[0]?.value ?? 0),
  },
  {
    id: 'liquidations',
    title: 'liquidations of a day',
    form: 'dollars',
    isShape: false,
    real: {},
    of: (span) => closedADay(span, span.closings),
  },
  {
    id: 'liquidations-elsewhere',
    title: 'liquidations of a day on another exchange',
    form: 'dollars',
    isShape: false,
    real: {},
    of: (span) => closedADay(span, span.closingsElsewhere),
  },
]

const logVolume = ({ volume }: Bar): number => Math.log(Math.max(volume, 1e-9))
const hours = ({ minutes }: SpanOfCoin): Bar[] => merged(minutes, HOUR_MS)
const hourly = (span: SpanOfCoin): number[] => returnsOf(hours(span))

/** The hours of each whole day. */
function byDay(span: SpanOfCoin): Bar[][] {
  const days = Map.groupBy(hours(span), ({ timeMs }) => Math.floor(timeMs / DAY_MS))
  return [...days.values()].filter((day) => day.length === 24)
}

function byHourOfDay(span: SpanOfCoin): number[] {
  const bars = hours(span)
  if (bars.length < 24) return [Number.NaN]
  return Array.from({ length: 24 }, (_, hour) =>
    mean(bars.filter(({ timeMs }) => Math.floor(timeMs / HOUR_MS) % 24 === hour).map(dollarsOf)),
  )
}

function logChanges(readings: readonly Reading[]): number[] {
  return readings
    .slice(1)
    .map(({ value }, at) => Math.log(value / (readings[at]?.value ?? Number.NaN)))
    .filter(Number.isFinite)
}

/** Funding of each hour beside the return of the day before it. */
function fundingWithTrend({ minutes, funding }: SpanOfCoin): number {
  const closes = new Map(merged(minutes, HOUR_MS).map(({ timeMs, close }) => [timeMs, close]))
  const pairs = funding.flatMap(({ timeMs, value }) => {
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS - HOUR_MS
    const [now, before] = [closes.get(hourMs), closes.get(hourMs - DAY_MS)]
    return now && before ? [[value, Math.log(now / before)] as const] : []
  })
  const middle = median(pairs.map(([rate]) => rate))
  // A rate of one bad hour is not the whole of a correlation.
  const most = 20 * BASE_RATE
  const bounded = (rate: number) => Math.max(middle - most, Math.min(middle + most, rate))
  return correlation(
    pairs.map(([rate]) => bounded(rate)),
    pairs.map(([, move]) => move),
  )
}

function closedADay({ fromMs, toMs }: SpanOfCoin, closings: readonly Closings[]): number {
  const total = closings.reduce((sum, { long, short }) => sum + long + short, 0)
  return closings.length === 0 ? Number.NaN : (total * DAY_MS) / (toMs - fromMs)
}
