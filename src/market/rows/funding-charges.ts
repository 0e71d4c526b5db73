/**
 * When funding is charged, as clients are shown it: on their full hours. The recording's hours lie
 * elsewhere on a live clock, so the charge of each is made a little later, at the rate and the
 * price of its own hour, on what is held when it is made.
 *
 * Rows of fills have what was settled at the recording's own hours (`fundingAfter`,
 * `fundingIndex`); what a later charge makes of it is counted here.
 */

import { HOUR_MS } from '../../clock/durations.ts'
import type { TapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import {
  type FundingIndex,
  fundingIndex,
  raw,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { mulDiv } from '../../decimal/scaled.ts'
import { fundingScale } from '../accounting/funding.ts'
import { funding } from '../schema/schema.ts'
import { lastUpTo } from '../world/binary-search.ts'
import { perMarket } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { columns } from './columns.ts'
import { HELD, type HoldingHistory, type LateSums, PAID, PAID_INDEX } from './trader-history.ts'

/** A place of the playhead: tape time, and what is added to show it. */
export type Place = Pick<Moment, 'atMs' | 'shiftMs'>

/** How long after a full hour of the recording its charge is made: less than an hour. */
export const chargeDelayMs = ({ shiftMs }: Pick<Moment, 'shiftMs'>): number =>
  (HOUR_MS - (shiftMs % HOUR_MS)) % HOUR_MS

/** The funding index of an instrument after all charges that were made up to an instant. */
export function indexAt(
  world: World,
  instrument: number,
  timeMs: TapeMs,
  delayMs: number,
): FundingIndex {
  const { timesMs, indexes } = chargesOf(world)(instrument)
  return fundingIndex(indexes[lastUpTo(timesMs, timeMs - delayMs)] ?? 0)
}

/** What is to be added to the funding that rows say was paid. */
export interface LateFunding {
  allTime: Usd
  sinceOpen: Usd
  sinceChange: Usd
}

const NOTHING: LateFunding = { allTime: ZERO, sinceOpen: ZERO, sinceChange: ZERO }

/** The same for what a trader holds of a perpetual, at a row of its history. */
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

/** Charges of an instrument at the recording's hours, rising: the index after each, its rate. */
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

/** The charges of an instrument, by its id; of the market, whoever's world it is. */
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

/** Of all rows. They are kept for one delay: sandboxes on one world mostly differ in it. */
export function lateSums(world: World, history: HoldingHistory, delayMs: number): LateSums {
  if (history.late?.delayMs === delayMs) return history.late
  const sums = sumLateCharges(chargesOf(world)(history.instrument.id), history, delayMs)
  history.late = sums
  return sums
}

/**
 * At a row a trader has paid the same whether its funding goes on from what was held before or from
 * what is held after, to the last digit: so payments are what the sums grow by. Written with few
 * calls, because whole searches run before it is compiled.
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
