/**
 * When funding is charged, as clients are shown it: on their full hours. The recording's hours lie
 * elsewhere on a live clock, so the charge of each is made a little later, at the rate and the
 * price of its own hour, on what is held when it is made.
 *
 * Rows of fills have what was settled at the recording's own hours (`fundingAfter`,
 * `fundingIndex`); what a later charge makes of it is counted here.
 */
import type { TapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import {
  add,
  type FundingIndex,
  raw,
  type Sz,
  subtract,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { lastUpTo } from '../binary-search.ts'
import { perWorld } from '../per-world.ts'
import { funding } from '../schema.ts'
import type { World } from '../world.ts'
import { columns } from './columns.ts'
import type { HoldingHistory, LateSums } from './trader-history.ts'

/** A place of the playhead: tape time, and what is added to show it. */
export type Place = Pick<Moment, 'atMs' | 'shiftMs'>

const HOUR_MS = 3_600_000

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
  return indexes[lastUpTo(timesMs, timeMs - delayMs)] ?? ZERO
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
  const { allTime, sinceOpen, sinceChange } = lateSums(world, history, delayMs)
  return {
    allTime: usd(allTime[row] as number),
    sinceOpen: usd(sinceOpen[row] as number),
    sinceChange: usd(sinceChange[row] as number),
  }
}

/** Charges of an instrument at the recording's hours, rising. */
interface Charges {
  timesMs: Float64Array
  indexes: FundingIndex[]
}

const CHARGES = columns({ timeMs: funding.timeMs, index: funding.fundingIndex })

const chargesOf = perWorld(({ db }) => {
  const ofInstrument = CHARGES.prepare<[instrument: number]>(
    db,
    'from funding where instrument = ? and charged = 1 order by timeMs',
  )
  const known = new Map<number, Charges>()
  return (instrument: number): Charges => {
    const before = known.get(instrument)
    if (before) return before
    const rows = ofInstrument.all(instrument)
    const charges = {
      timesMs: Float64Array.from(rows, ({ timeMs }) => timeMs),
      indexes: rows.map(({ index }) => index),
    }
    known.set(instrument, charges)
    return charges
  }
})

/** Of all rows. They are kept for one delay: sandboxes on one world mostly differ in it. */
export function lateSums(world: World, history: HoldingHistory, delayMs: number): LateSums {
  if (history.late?.delayMs === delayMs) return history.late
  const sums = sumLateCharges(chargesOf(world)(history.instrument.id), history, delayMs)
  history.late = sums
  return sums
}

function sumLateCharges(charges: Charges, history: HoldingHistory, delayMs: number): LateSums {
  const { timesMs: chargedMs, indexes } = charges
  const { count, instrument } = history
  const values = new Float64Array(3 * count)
  let [allTime, sinceOpen, before]: [Usd, Usd, Sz] = [ZERO, ZERO, ZERO]
  let charge = lastUpTo(chargedMs, history.timeMs(0) - 1)
  for (let row = 0; row < count; row++) {
    const timeMs = history.timeMs(row)
    const held = history.sz(row)
    while (charge + 1 < chargedMs.length && (chargedMs[charge + 1] as number) < timeMs) charge++
    const isLate = charge >= 0 && timeMs - (chargedMs[charge] as number) <= delayMs
    const opens = before === ZERO || before > ZERO !== held > ZERO
    if (isLate) {
      const [from, to] = [indexes[charge - 1] ?? ZERO, indexes[charge] ?? ZERO]
      const cost = fundingBetween(subtract(held, before), from, to, instrument)
      const whole = before === ZERO ? cost : fundingBetween(held, from, to, instrument)
      values[2 * count + row] = raw(whole)
      sinceOpen = opens ? whole : add(sinceOpen, cost)
      allTime = add(allTime, cost)
    } else if (opens) sinceOpen = ZERO
    values[row] = raw(allTime)
    values[count + row] = raw(sinceOpen)
    before = held
  }
  return {
    delayMs,
    allTime: values.subarray(0, count),
    sinceOpen: values.subarray(count, 2 * count),
    sinceChange: values.subarray(2 * count),
  }
}
