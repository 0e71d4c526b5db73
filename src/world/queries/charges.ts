/**
 * When funding is charged, as clients are shown it: on their full hours. The recording's hours lie
 * elsewhere on a live clock, so the charge of each is made a little later, at the rate and the
 * price of its own hour, on what is held when it is made.
 *
 * Rows of fills have what was settled at the recording's own hours (`fundingAfter`,
 * `fundingIndex`); what a later charge makes of it is counted here.
 */
import type { Moment } from '../../contract/facts.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { lastUpTo } from '../books/shelf.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { perWorld } from './per-world.ts'

/** A place of the playhead: tape time, and what is added to show it. */
export type Place = Pick<Moment, 'atMs' | 'shiftMs'>

const HOUR_MS = 3_600_000

/** How long after a full hour of the recording its charge is made: less than an hour. */
export const chargeDelayMs = ({ shiftMs }: Pick<Moment, 'shiftMs'>): number =>
  (HOUR_MS - (shiftMs % HOUR_MS)) % HOUR_MS

/** The funding index of an instrument after all charges that were made up to an instant. */
export function indexAt(world: World, instrument: number, timeMs: number, delayMs: number): number {
  const { timesMs, indexes } = chargesOf(world)(instrument)
  return indexes[lastUpTo(timesMs, timeMs - delayMs)] ?? 0
}

/** What is to be added to the funding that rows say was paid. Micro-dollars. */
export interface Late {
  allTime: number
  sinceOpen: number
  sinceChange: number
}

const NOTHING: Late = { allTime: 0, sinceOpen: 0, sinceChange: 0 }

/** The same for what a trader holds of a perpetual at an instant. */
export function lateCharges(
  world: World,
  trader: number,
  of: InstrumentRow,
  timeMs: number,
  delayMs: number,
): Late {
  if (delayMs === 0 || of.kind === 'spot') return NOTHING
  const changes = changesOf(world)(trader, of)
  const last = lastUpTo(changes.timesMs, timeMs)
  if (last < 0) return NOTHING
  const sums = sumsOf(changes, delayMs)
  return {
    allTime: sums.allTime[last] as number,
    sinceOpen: sums.sinceOpen[last] as number,
    sinceChange: isLate(changes, last, delayMs) ? (changes.wholeCosts[last] as number) : 0,
  }
}

/** Charges of an instrument at the recording's hours, rising. */
interface Charges {
  timesMs: Float64Array
  indexes: Float64Array
}

const chargesOf = perWorld(({ db }) => {
  const rows = db.prepare(
    `select timeMs, fundingIndex from funding where instrument = ? and charged = 1
     order by timeMs`,
  )
  const known = new Map<number, Charges>()
  return (instrument: number): Charges => {
    const before = known.get(instrument)
    if (before) return before
    const all = rows.values(instrument) as [number, number][]
    const made = {
      timesMs: Float64Array.from(all, ([timeMs]) => timeMs),
      indexes: Float64Array.from(all, ([, index]) => index),
    }
    known.set(instrument, made)
    return made
  }
})

/** The fills of a trader in a perpetual, and what a charge after rather than before them costs. */
interface Changes {
  timesMs: Float64Array
  /** Since the last charge at the recording's hours. */
  sinceMs: Float64Array
  /** What that charge is on the size that the fill added, and on all that was held after it. */
  costs: Float64Array
  wholeCosts: Float64Array
  /** Whether it opened what was held after it. */
  opens: boolean[]
  sums: Sums | null
}

/** After each fill, for the delay that was asked for last. */
interface Sums {
  delayMs: number
  allTime: Float64Array
  sinceOpen: Float64Array
}

/** Fills whose changes are kept, about 40 bytes each. */
const KEPT = 1_000_000

const changesOf = perWorld((world) => {
  const fills = world.db.prepare(
    `select timeMs, startPosition, positionAfter from fill where trader = ? and instrument = ?
     order by timeMs, id`,
  )
  const known = new Map<string, Changes>()
  let kept = 0
  return (trader: number, of: InstrumentRow): Changes => {
    const key = `${trader}/${of.id}`
    const before = known.get(key)
    if (before) return before
    const made = changed(chargesOf(world)(of.id), of, fills.values(trader, of.id) as FillValues[])
    kept += made.timesMs.length
    if (kept > KEPT) {
      known.clear()
      kept = made.timesMs.length
    }
    known.set(key, made)
    return made
  }
})

type FillValues = [timeMs: number, startPosition: number, positionAfter: number]

function changed({ timesMs, indexes }: Charges, of: InstrumentRow, fills: FillValues[]): Changes {
  const cost = (sz: number, timeMs: number) => {
    const last = lastUpTo(timesMs, timeMs - 1)
    return last < 0 ? 0 : fundingBetween(sz, indexes[last - 1] ?? 0, indexes[last] as number, of)
  }
  return {
    timesMs: Float64Array.from(fills, ([timeMs]) => timeMs),
    sinceMs: Float64Array.from(
      fills,
      ([timeMs]) => timeMs - (timesMs[lastUpTo(timesMs, timeMs - 1)] ?? 0),
    ),
    costs: Float64Array.from(fills, ([timeMs, from, to]) => cost(to - from, timeMs)),
    wholeCosts: Float64Array.from(fills, ([timeMs, , to]) => cost(to, timeMs)),
    opens: fills.map(([, from, to]) => from === 0 || from > 0 !== to > 0),
    sums: null,
  }
}

/** Whether the charge of the hour before a fill is made after it. */
const isLate = ({ sinceMs }: Changes, at: number, delayMs: number) =>
  (sinceMs[at] as number) <= delayMs

function sumsOf(changes: Changes, delayMs: number): Sums {
  if (changes.sums?.delayMs === delayMs) return changes.sums
  const { length } = changes.timesMs
  const sums = {
    delayMs,
    allTime: new Float64Array(length),
    sinceOpen: new Float64Array(length),
  }
  let [allTime, sinceOpen] = [0, 0]
  for (let at = 0; at < length; at++) {
    const late = isLate(changes, at, delayMs)
    if (changes.opens[at]) sinceOpen = late ? (changes.wholeCosts[at] as number) : 0
    else if (late) sinceOpen += changes.costs[at] as number
    if (late) allTime += changes.costs[at] as number
    sums.allTime[at] = allTime
    sums.sinceOpen[at] = sinceOpen
  }
  changes.sums = sums
  return sums
}
