/** Continuity between past and tape: the same hour of day, at increasing distances. */
import { type Bar, DAY_MS, dollarsOf, HOUR_MS } from '../bars.ts'
import type { Observations } from '../observations.ts'
import { mean } from '../statistics/moments.ts'
import { partOf } from '../statistics/quantiles.ts'
import { LEADER } from './candle-figures.ts'
import type { Figure } from './figure.ts'

/** Days ago; single days vary, so several are combined, of weekends where the tape is on one. */
const SPANS = [
  { name: '30 days ago', fromDay: 24, toDay: 30 },
  { name: '7 days ago', fromDay: 4, toDay: 10 },
  { name: '1 day ago', fromDay: 1, toDay: 4 },
] as const

/** Activity per minute of each span, the tape last. */
export interface Seam {
  name: string
  trades: number
  dollars: number
}

/** Means per minute of the leading coin. */
export function seamsOf(seen: Observations): Seam[] {
  const { startMs, endMs } = seen
  const bars = seen.minutes.get(LEADER) ?? []
  const between = (fromMs: number, toMs: number) =>
    bars.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
  const aroundHour = (day: number) =>
    isWeekend(startMs - day * DAY_MS) !== isWeekend(startMs)
      ? []
      : between(startMs - day * DAY_MS - HOUR_MS, startMs - day * DAY_MS + HOUR_MS)
  const days = SPANS.map(({ name, fromDay, toDay }) => {
    const count = toDay - fromDay + 1
    return seam(name, Array.from({ length: count }, (_, at) => aroundHour(fromDay + at)).flat())
  })
  const lastHour = seam('1 hour ago', between(startMs - HOUR_MS, startMs))
  return [...days, lastHour, seam('the tape', between(startMs, endMs))]
}

/** The hour that starts with the tape, on each day of the same kind. */
function hoursLikeTheTape({ startMs, minutes }: Observations): Seam[] {
  const days = Array.from({ length: 30 }, (_, at) => startMs - (at + 1) * DAY_MS)
  const bars = minutes.get(LEADER) ?? []
  return days
    .filter((fromMs) => isWeekend(fromMs) === isWeekend(startMs))
    .map((fromMs) => bars.filter(({ timeMs }) => timeMs >= fromMs && timeMs < fromMs + HOUR_MS))
    .filter((hour) => hour.length > 0)
    .map((hour) => seam('', hour))
}

const isWeekend = (timeMs: number): boolean => (Math.floor(timeMs / DAY_MS) + 3) % 7 >= 5

function seam(name: string, bars: readonly Bar[]): Seam {
  return {
    name,
    trades: mean(bars.map(({ trades }) => trades)),
    dollars: mean(bars.map(dollarsOf)),
  }
}

const MEAN_FIGURES: readonly Figure[] = (['trades', 'dollars'] as const).map((of) => ({
  id: `seam-${of}`,
  title: `BTC: ${of} a minute at the same hour of day, 30 d to 1 h ago and tape: most over least`,
  wanted: { max: 1.5 },
  held: { max: 2.5 },
  form: 'number',
  of: (seen) => {
    const values = seamsOf(seen).map((one) => one[of])
    return Math.max(...values) / Math.min(...values)
  },
}))

const HOUR_FIGURES: readonly Figure[] = (['trades', 'dollars'] as const).map((of) => ({
  id: `seam-hours-${of}`,
  title: `BTC: single hours of 30 days at the tape's hour of day whose ${of} are within 1.5 of it`,
  // The turnover of real hours deviates by about 0.6 in logarithms, so half of them are within 1.5.
  wanted: { min: 0.45 },
  held: { min: 0.3 },
  form: 'percent',
  of: (seen) => {
    const tape = seamsOf(seen).at(-1)?.[of] ?? Number.NaN
    const factors = hoursLikeTheTape(seen).map((one) => one[of] / tape)
    return partOf(factors, (factor) => factor < FACTOR && factor > 1 / FACTOR)
  },
}))

const FACTOR = 1.5

export const SEAM_FIGURES: readonly Figure[] = [...MEAN_FIGURES, ...HOUR_FIGURES]
