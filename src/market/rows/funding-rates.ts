/** Funding rates of the own venue, of an hour each. */
import type { TapeMs } from '../../clock/instant.ts'
import { funding } from '../schema/schema.ts'
import { perMarket } from '../world/per-world.ts'
import { columns } from './columns.ts'
import { StepSeries } from './step-series.ts'

const RATES = columns({ timeMs: funding.timeMs, rate: funding.rate })

/** Hourly rates over time. */
export const fundingRateSeries = perMarket((world) => {
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

/** Time of the first rate of an instrument; null without one. */
export const firstFundingMs = perMarket(({ db }) => {
  const first = columns({ timeMs: funding.timeMs }).prepare<[instrument: number]>(
    db,
    'from funding where instrument = ? order by timeMs limit 1',
  )
  return (instrument: number) => first.get(instrument)?.timeMs ?? null
})
