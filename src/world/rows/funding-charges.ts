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
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { lastUpTo } from '../binary-search.ts'
import { perWorld } from '../per-world.ts'
import { fill, funding, type InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { columns, type RowOf } from './columns.ts'

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

/** The same for what a trader holds of a perpetual at an instant. */
export function lateCharges(
  world: World,
  trader: number,
  of: InstrumentRow,
  timeMs: TapeMs,
  delayMs: number,
): LateFunding {
  if (delayMs === 0 || of.kind === 'spot') return NOTHING
  const charges = fillChargesOf(world)(trader, of)
  const last = lastUpTo(charges.timesMs, timeMs)
  if (last < 0) return NOTHING
  const sums = sumsOf(charges, delayMs)
  return {
    allTime: sums.allTime[last] as Usd,
    sinceOpen: sums.sinceOpen[last] as Usd,
    sinceChange: isLate(charges, last, delayMs) ? (charges.wholeCosts[last] as Usd) : ZERO,
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

/** The fills of a trader in a perpetual, and what a charge after rather than before them costs. */
interface FillCharges {
  timesMs: Float64Array
  /** Since the last charge at the recording's hours. */
  sinceMs: Float64Array
  /** What that charge is on the size that the fill added, and on all that was held after it. */
  costs: Usd[]
  wholeCosts: Usd[]
  /** Whether it opened what was held after it. */
  opens: boolean[]
  sums: Sums | null
}

/** After each fill, for the delay that was used last. */
interface Sums {
  delayMs: number
  allTime: Usd[]
  sinceOpen: Usd[]
}

/** Keys stay safe integers. */
const MOST_INSTRUMENTS = 2_048

const FILLS = columns({ timeMs: fill.timeMs, from: fill.startPosition, to: fill.positionAfter })
type FillEntry = RowOf<typeof FILLS>

const fillChargesOf = perWorld((world) => {
  const fills = FILLS.prepare<[trader: number, instrument: number]>(
    world.db,
    'from fill where trader = ? and instrument = ? order by timeMs, id',
  )
  // As many as there are holdings in the world, and looked up for each point of each curve.
  const known = new Map<number, FillCharges>()
  return (trader: number, of: InstrumentRow): FillCharges => {
    const key = trader * MOST_INSTRUMENTS + of.id
    const before = known.get(key)
    if (before) return before
    const charges = fillCharges(chargesOf(world)(of.id), of, fills.all(trader, of.id))
    known.set(key, charges)
    return charges
  }
})

function fillCharges(
  { timesMs, indexes }: Charges,
  of: InstrumentRow,
  fills: FillEntry[],
): FillCharges {
  const cost = (sz: Sz, timeMs: TapeMs): Usd => {
    const last = lastUpTo(timesMs, timeMs - 1)
    const [from, to] = [indexes[last - 1] ?? ZERO, indexes[last]]
    return to === undefined ? ZERO : fundingBetween(sz, from, to, of)
  }
  return {
    timesMs: Float64Array.from(fills, ({ timeMs }) => timeMs),
    sinceMs: Float64Array.from(
      fills,
      ({ timeMs }) => timeMs - (timesMs[lastUpTo(timesMs, timeMs - 1)] ?? 0),
    ),
    costs: fills.map(({ timeMs, from, to }) => cost(subtract(to, from), timeMs)),
    wholeCosts: fills.map(({ timeMs, to }) => cost(to, timeMs)),
    opens: fills.map(({ from, to }) => from === ZERO || from > ZERO !== to > ZERO),
    sums: null,
  }
}

/** Whether the charge of the hour before a fill is made after it. */
const isLate = ({ sinceMs }: FillCharges, at: number, delayMs: number) =>
  (sinceMs[at] as number) <= delayMs

function sumsOf(charges: FillCharges, delayMs: number): Sums {
  if (charges.sums?.delayMs === delayMs) return charges.sums
  const sums: Sums = { delayMs, allTime: [], sinceOpen: [] }
  let [allTime, sinceOpen]: [Usd, Usd] = [ZERO, ZERO]
  for (const [at, cost] of charges.costs.entries()) {
    const late = isLate(charges, at, delayMs)
    if (charges.opens[at]) sinceOpen = late ? (charges.wholeCosts[at] as Usd) : ZERO
    else if (late) sinceOpen = add(sinceOpen, cost)
    if (late) allTime = add(allTime, cost)
    sums.allTime.push(allTime)
    sums.sinceOpen.push(sinceOpen)
  }
  charges.sums = sums
  return sums
}
