/** Figures of one coin's candles: price moves, and turnover in relation to them. */
import { type Bar, DAY_MS, dollarsOf, HOUR_MS, MINUTE_MS, merged, returnsOf } from '../bars.ts'
import type { Observations } from '../observations.ts'
import { autocorrelation, correlation } from '../statistics/correlation.ts'
import { deviation, kurtosis, mean } from '../statistics/moments.ts'
import { median, partOf } from '../statistics/quantiles.ts'
import type { Figure } from './figure.ts'

/** The most traded coin. */
export const LEADER = 'BTC'

const QUARTER_MS = 15 * MINUTE_MS

export const CANDLE_FIGURES: readonly Figure[] = [
  {
    id: 'minutes',
    title: 'BTC: minutes of 30 days that have a candle',
    wanted: { min: 0.99 },
    held: { min: 0.95 },
    form: 'percent',
    of: (seen) => minutesThere(seen),
  },
  {
    id: 'flat',
    title: 'BTC: candles of a minute with open = high = low = close',
    wanted: { max: 0.08 },
    held: { max: 0.1 },
    form: 'percent',
    of: (seen) => partOf(leader(seen), ({ high, low }) => high === low),
  },
  {
    id: 'volatility',
    title: 'BTC: volatility a year, of hourly returns',
    wanted: { min: 0.35, max: 0.7 },
    held: { min: 0.2, max: 1.2 },
    form: 'percent',
    of: (seen) => deviation(hourly(seen, LEADER)) * Math.sqrt(365 * 24),
  },
  {
    id: 'kurtosis-1h',
    source: 'a',
    title: 'BTC: kurtosis of 1h returns (3 is normal)',
    wanted: { min: 6, max: 20 },
    held: { min: 3.5, max: 45 },
    form: 'number',
    of: (seen) => kurtosis(hourly(seen, LEADER)),
  },
  {
    id: 'kurtosis-15m',
    source: 'a',
    title: 'BTC: kurtosis of 15m returns',
    wanted: { min: 8, max: 30 },
    held: { min: 4, max: 90 },
    form: 'number',
    of: (seen) => kurtosis(returnsOf(merged(leader(seen), QUARTER_MS))),
  },
  ...[
    { lag: 1, min: 0.15, max: 0.35 },
    { lag: 6, min: 0.08, max: 0.2 },
    { lag: 24, min: 0.03, max: 0.15 },
  ].map(
    ({ lag, min, max }): Figure => ({
      id: `persistence-${lag}`,
      source: 'a',
      title: `BTC: autocorrelation of absolute 1h returns, lag ${lag}`,
      wanted: { min, max },
      held: { min: -0.1, max: 0.6 },
      form: 'number',
      of: (seen) => autocorrelation(hourly(seen, LEADER).map(Math.abs), lag),
    }),
  ),
  {
    id: 'volume-persistence',
    source: 'b',
    title: 'BTC: autocorrelation of the logarithm of hourly volume, lag 1',
    wanted: { min: 0.6, max: 0.9 },
    held: { min: 0.45, max: 0.97 },
    form: 'number',
    of: (seen) => autocorrelation(hours(seen, LEADER).map(logVolume), 1),
  },
  {
    id: 'volume-move',
    source: 'a',
    title: 'BTC: correlation of it with the absolute return',
    wanted: { min: 0.4, max: 0.7 },
    held: { min: 0.25, max: 0.85 },
    form: 'number',
    of: (seen) =>
      correlation(hours(seen, LEADER).map(logVolume), hourly(seen, LEADER).map(Math.abs)),
  },
  {
    id: 'minute-volume-range',
    title: 'BTC: correlation of the logarithms of a minute’s volume and of its range',
    wanted: { min: 0.5, max: 0.8 },
    held: { min: 0.3, max: 0.9 },
    form: 'number',
    of: (seen) => {
      const bars = minutesBefore(seen).filter(({ volume, high, low }) => volume > 0 && high > low)
      return correlation(bars.map(logVolume), bars.map(logRange))
    },
  },
  {
    id: 'still-bursts',
    title: 'BTC: minutes of twenty times the volume of their two hours, and no more range',
    wanted: { max: 0.0001 },
    held: { max: 0.0015 },
    form: 'percent',
    of: (seen) => stillBursts(minutesBefore(seen)),
  },
  {
    id: 'day-shape',
    title: 'BTC: turnover of the busiest hour of the day over that of the quietest',
    wanted: { min: 1.5, max: 4 },
    held: { min: 1.3, max: 8 },
    form: 'number',
    of: (seen) => Math.max(...byHourOfDay(seen)) / Math.min(...byHourOfDay(seen)),
  },
  {
    id: 'busiest-hour',
    title: 'BTC: busiest hour of the day, UTC',
    wanted: { min: 12, max: 18 },
    held: {},
    form: 'number',
    of: (seen) => {
      const hours = byHourOfDay(seen)
      const busiest = hours.indexOf(Math.max(...hours))
      return busiest < 0 ? Number.NaN : busiest
    },
  },
]

const leader = (seen: Observations): Bar[] => seen.minutes.get(LEADER) ?? []
const logVolume = ({ volume }: Bar): number => Math.log(Math.max(volume, 1e-9))
const logRange = ({ high, low }: Bar): number => Math.log(Math.log(high / low))

const minutesBefore = (seen: Observations, coin: string = LEADER): Bar[] =>
  (seen.minutes.get(coin) ?? []).filter(({ timeMs }) => timeMs < seen.startMs)

/** Whole hours of the time before the tape. */
export const hours = (seen: Observations, coin: string): Bar[] =>
  merged(minutesBefore(seen, coin), HOUR_MS)

/** A burst has so many times the usual volume; and one that moves the price such a range. */
const BURST = { volume: 20, range: 1.5, withinMs: 2 * HOUR_MS }

/** Part of the minutes that are bursts of volume, and move the price no more than others. */
function stillBursts(bars: readonly Bar[]): number {
  const spans = Map.groupBy(bars, ({ timeMs }) => Math.floor(timeMs / BURST.withinMs))
  let found = 0
  for (const span of spans.values()) {
    const volume = median(span.map((bar) => bar.volume))
    const range = median(span.map(rangeOf))
    found += span.filter(
      (bar) => bar.volume > BURST.volume * volume && rangeOf(bar) < BURST.range * range,
    ).length
  }
  return found / bars.length
}

const rangeOf = ({ high, low }: Bar): number => high / low - 1

const hourly = (seen: Observations, coin: string): number[] => returnsOf(hours(seen, coin))

function minutesThere(seen: Observations): number {
  const bars = leader(seen).filter(({ timeMs }) => timeMs < seen.startMs)
  if (bars.length === 0) return Number.NaN
  return bars.length / ((30 * DAY_MS) / MINUTE_MS)
}

function byHourOfDay(seen: Observations): number[] {
  const bars = hours(seen, LEADER)
  return Array.from({ length: 24 }, (_, hour) =>
    mean(bars.filter(({ timeMs }) => Math.floor(timeMs / HOUR_MS) % 24 === hour).map(dollarsOf)),
  )
}
