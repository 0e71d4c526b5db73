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
  sz,
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
import type { HoldingHistory } from './trader-history.ts'

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

/** The same for what a trader holds of a perpetual, at a place of its history. */
export function lateCharges(
  world: World,
  history: HoldingHistory,
  at: number,
  delayMs: number,
): LateFunding {
  if (delayMs === 0 || at < 0 || history.instrument.kind === 'spot') return NOTHING
  const { allTime, sinceOpen, wholeCosts } = lateSumsOf(world, history, delayMs)
  return {
    allTime: usd(allTime[at] as number),
    sinceOpen: usd(sinceOpen[at] as number),
    sinceChange: usd(wholeCosts[at] as number),
  }
}

/** Charges of an instrument at the recording's hours, rising. */
export interface Charges {
  timesMs: Float64Array
  indexes: FundingIndex[]
}

const CHARGES = columns({ timeMs: funding.timeMs, index: funding.fundingIndex })

export const chargesOf = perWorld(({ db }) => {
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

/** After each row of a history, with charges so much later than at the recording's hours. */
export interface LateSums {
  delayMs: number
  allTime: Float64Array
  sinceOpen: Float64Array
  /** What the charge of the hour before it is on all that was held after it; 0 if it is not late. */
  wholeCosts: Float64Array
}

/** Of the delay that was used last: sandboxes on one world mostly differ in it. */
const lateSums = new WeakMap<HoldingHistory, LateSums>()

/** The sums of a history. */
export function lateSumsOf(world: World, history: HoldingHistory, delayMs: number): LateSums {
  const known = lateSums.get(history)
  if (known?.delayMs === delayMs) return known
  const sums = sumLateCharges(chargesOf(world)(history.instrument.id), history, delayMs)
  lateSums.set(history, sums)
  return sums
}

function sumLateCharges(
  { timesMs: chargedMs, indexes }: Charges,
  { instrument, timesMs, sizes }: HoldingHistory,
  delayMs: number,
): LateSums {
  const rows = timesMs.length
  const [allTimes, sinceOpens] = [new Float64Array(rows), new Float64Array(rows)]
  const wholeCosts = new Float64Array(rows)
  let [allTime, sinceOpen]: [Usd, Usd] = [ZERO, ZERO]
  let [before, charge]: [Sz, number] = [ZERO, -1]
  for (let at = 0; at < rows; at++) {
    const [timeMs, held] = [timesMs[at] as number, sz(sizes[at] as number)]
    while (charge + 1 < chargedMs.length && (chargedMs[charge + 1] as number) < timeMs) charge++
    const to = indexes[charge]
    const isLate = to !== undefined && timeMs - (chargedMs[charge] as number) <= delayMs
    const opens = before === ZERO || before > ZERO !== held > ZERO
    if (isLate) {
      const from = indexes[charge - 1] ?? ZERO
      const cost = fundingBetween(subtract(held, before), from, to, instrument)
      const whole = fundingBetween(held, from, to, instrument)
      wholeCosts[at] = raw(whole)
      sinceOpen = opens ? whole : add(sinceOpen, cost)
      allTime = add(allTime, cost)
    } else if (opens) sinceOpen = ZERO
    allTimes[at] = raw(allTime)
    sinceOpens[at] = raw(sinceOpen)
    before = held
  }
  return { delayMs, allTime: allTimes, sinceOpen: sinceOpens, wholeCosts }
}
