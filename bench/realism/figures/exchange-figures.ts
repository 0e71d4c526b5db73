/** Figures of the market beyond the venue. */
import { type Bar, matching } from '../bars.ts'
import type { Observations } from '../observations.ts'
import { autocorrelation, correlation } from '../statistics/correlation.ts'
import { deviation } from '../statistics/moments.ts'
import { LEADER } from './candle-figures.ts'
import type { Figure } from './figure.ts'

export const EXCHANGE_FIGURES: readonly Figure[] = [
  {
    id: 'volume-elsewhere',
    title: 'BTC: correlation of the volume of a minute here and on another exchange',
    wanted: { min: 0.85, max: 0.98 },
    held: { min: 0.7, max: 0.99 },
    form: 'number',
    of: (seen) => {
      const [ours, theirs] = bothOf(seen)
      return correlation(
        ours.map(({ volume }) => volume),
        theirs.map(({ volume }) => volume),
      )
    },
  },
  {
    id: 'basis',
    title: 'BTC: deviation of the difference of the two prices, basis points',
    wanted: { min: 0.5, max: 4 },
    held: { min: 0.3, max: 10 },
    form: 'number',
    of: (seen) => deviation(basisOf(seen)),
  },
  {
    id: 'basis-reverts',
    title: 'BTC: autocorrelation of this difference from minute to minute',
    wanted: { min: 0, max: 0.9 },
    held: { min: -0.3, max: 0.99 },
    form: 'number',
    of: (seen) => autocorrelation(basisOf(seen), 1),
  },
  {
    id: 'closings-elsewhere',
    title: 'BTC: correlation of the liquidations of half an hour here and there',
    wanted: { max: 0.98 },
    held: { max: 0.99 },
    form: 'number',
    of: (seen) => {
      const ours = new Map(
        seen.closings.get(LEADER)?.map(({ timeMs, long, short }) => [timeMs, long + short]),
      )
      const theirs = (seen.elsewhere?.closings ?? []).filter(({ timeMs }) => ours.has(timeMs))
      return correlation(
        theirs.map(({ timeMs }) => ours.get(timeMs) as number),
        theirs.map(({ long, short }) => long + short),
      )
    },
  },
  {
    id: 'estimated-map',
    title: 'BTC: estimated liquidation map of a pair over its open interest',
    wanted: { max: 1 },
    held: { max: 1.5 },
    form: 'number',
    of: ({ quoted }) => quoted.get('estimatedMap') ?? Number.NaN,
  },
  {
    id: 'coin-volume',
    title: "BTC: a coin's vol_24h over that of the venue itself",
    wanted: { min: 1.5, max: 100 },
    held: { min: 1.2, max: 200 },
    form: 'number',
    of: (seen) => (seen.quoted.get('coinVolume') ?? Number.NaN) / dayVolume(seen),
  },
  {
    id: 'dominance',
    title: "bitcoin's part of the market value of all coins, percent",
    wanted: { min: 45, max: 68 },
    // Only of a tape's coins, as the coin list has no others.
    held: { min: 40, max: 80 },
    form: 'number',
    of: ({ quoted }) => quoted.get('dominance') ?? Number.NaN,
  },
]

function bothOf({ minutes, elsewhere }: Observations): [Bar[], Bar[]] {
  return matching(minutes.get(LEADER) ?? [], elsewhere?.bars ?? [])
}

function basisOf(seen: Observations): number[] {
  const [ours, theirs] = bothOf(seen)
  return theirs.map(({ close }, at) => 1e4 * Math.log(close / (ours[at] as Bar).close))
}

function dayVolume({ minutes, endMs }: Observations): number {
  const day = (minutes.get(LEADER) ?? []).filter(({ timeMs }) => timeMs > endMs - 86_400_000)
  return day.reduce((sum, { volume }) => sum + volume, 0)
}
