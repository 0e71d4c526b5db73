/**
 * Times of funding charges in shown time: on full hours. With a live epoch the recording's hours
 * lie elsewhere, so each charge is made a little later, at the rate and price of its own hour, on
 * the position at that time.
 *
 * Rows of fills have what was settled at the recording's own hours (`fundingAfter`,
 * `fundingIndex`); the effect of later charges is computed here.
 */

import { HOUR_MS, later, type TapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import {
  type FundingIndex,
  fundingIndex,
  mulDiv,
  raw,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingScale } from '../accounting/funding.ts'
import { funding } from '../schema/schema.ts'
import { perMarket } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns } from './columns.ts'
import { lastUpTo, StepSeries } from './step-series.ts'
import { HELD, type HoldingHistory, type LateSums, PAID, PAID_INDEX } from './trader-histories.ts'

/** Hourly funding rates of the venue. */
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

/** Time of an instrument's first rate; null without one. */
export const firstFundingMs = perMarket(({ db }) => {
  const first = columns({ timeMs: funding.timeMs }).prepare<[instrument: number]>(
    db,
    'from funding where instrument = ? order by timeMs limit 1',
  )
  return (instrument: number) => first.get(instrument)?.timeMs ?? null
})

/** A playhead position: tape time, and its shift to shown time. */
export type Place = Pick<Moment, 'atMs' | 'shiftMs'>

/** Delay of a charge after a full hour of the recording: less than an hour. */
export const chargeDelayMs = ({ shiftMs }: Pick<Moment, 'shiftMs'>): number =>
  (HOUR_MS - (shiftMs % HOUR_MS)) % HOUR_MS

/** The funding index of an instrument after all charges up to an instant. */
export function indexAt(
  world: World,
  instrument: number,
  timeMs: TapeMs,
  delayMs: number,
): FundingIndex {
  const { timesMs, indexes } = chargesOf(world)(instrument)
  return fundingIndex(indexes[lastUpTo(timesMs, timeMs - delayMs)] ?? 0)
}

/** The index that a trade settles with: a charge of the same instant is made after it. */
export const indexAtTrade = (world: World, instrument: number, timeMs: TapeMs): FundingIndex =>
  indexAt(world, instrument, later(timeMs, -1), 0)

/** Correction to the funding paid in rows. */
export interface LateFunding {
  allTime: Usd
  sinceOpen: Usd
  sinceChange: Usd
}

const NOTHING: LateFunding = { allTime: ZERO, sinceOpen: ZERO, sinceChange: ZERO }

/** Correction for a trader's holding of a perpetual, at a row of its history. */
export function lateCharges(
  world: World,
  history: HoldingHistory,
  row: number,
  delayMs: number,
): LateFunding {
  if (delayMs === 0 || row < 0 || history.instrument.kind === 'spot') return NOTHING
  const { values } = lateSums(world, history, delayMs)
  return {
    allTime: usd(values[3 * row] as number),
    sinceOpen: usd(values[3 * row + 1] as number),
    sinceChange: usd(values[3 * row + 2] as number),
  }
}

/**
 * Charges of an instrument at the recording's hours, ascending: the index after each, and its rate.
 */
export interface FundingCharges {
  timesMs: Float64Array
  indexes: Float64Array
  rates: Float64Array
}

const CHARGES = columns({
  timeMs: funding.timeMs,
  index: funding.fundingIndex,
  rate: funding.rate,
})

/**
 * The charges of an instrument, by its id; they belong to the market and are shared by its worlds.
 */
export const chargesOf = perMarket((world) => {
  const { ofInstrument } = chargeStatements(world)
  const known = new Map<number, FundingCharges>()
  return (instrument: number): FundingCharges => {
    const before = known.get(instrument)
    if (before) return before
    const rows = ofInstrument.all(instrument)
    const charges = {
      timesMs: Float64Array.from(rows, ({ timeMs }) => timeMs),
      indexes: Float64Array.from(rows, ({ index }) => raw(index)),
      rates: Float64Array.from(rows, ({ rate }) => raw(rate)),
    }
    known.set(instrument, charges)
    return charges
  }
}, null)

const chargeStatements = perMarket(({ db }) => ({
  ofInstrument: CHARGES.prepare<[instrument: number]>(
    db,
    'from funding where instrument = ? and charged = 1 order by timeMs',
  ),
}))

/** Of all rows. Cached for one delay: sandboxes on one world mostly differ in it. */
export function lateSums(world: World, history: HoldingHistory, delayMs: number): LateSums {
  if (history.late?.delayMs === delayMs) return history.late
  const sums = sumLateCharges(chargesOf(world)(history.instrument.id), history, delayMs)
  history.late = sums
  return sums
}

/**
 * Computes the sums. At a row the paid amount is the same to the last digit, whether computed with
 * the holding before or after: so payments are the increments of the sums. Written with few calls,
 * because whole searches run before it is compiled.
 */
function sumLateCharges(
  charges: FundingCharges,
  history: HoldingHistory,
  delayMs: number,
): LateSums {
  const { timesMs: chargedMs, indexes } = charges
  const { count, data, first, width } = history
  const scale = fundingScale(history.instrument)
  const values = new Float64Array(3 * count)
  let [allTime, sinceOpen, before, paid, settled] = [0, 0, 0, 0, 0]
  let charge = lastUpTo(chargedMs, history.timeMs(0) - 1)
  for (let row = 0, at = first; row < count; row++, at += width) {
    const timeMs = data[at] as number
    const held = data[at + HELD] as number
    const paidAfter = data[at + PAID] as number
    const index = data[at + PAID_INDEX] as number
    while (charge + 1 < chargedMs.length && (chargedMs[charge + 1] as number) < timeMs) charge++
    // Before the tape a row may have settled the charge of its own instant.
    if (chargedMs[charge + 1] === timeMs && indexes[charge + 1] === index) charge++
    const opens = before === 0 || before > 0 !== held > 0
    if (charge >= 0 && timeMs - (chargedMs[charge] as number) <= delayMs) {
      const from = charge === 0 ? 0 : (indexes[charge - 1] as number)
      const whole = mulDiv(held, index - from, scale)
      const cost = paid + mulDiv(before, from - settled, scale) - paidAfter + whole
      values[3 * row + 2] = whole
      sinceOpen = opens ? whole : sinceOpen + cost
      allTime += cost
    } else if (opens) sinceOpen = 0
    values[3 * row] = allTime
    values[3 * row + 1] = sinceOpen
    before = held
    paid = paidAfter
    settled = index
  }
  return { delayMs, values }
}
