/** Sums over the positions that traders closed in a period. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { sum, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { type PositionColumns, perPositions } from '../../../rows/position-columns.ts'
import type { World } from '../../../world/world.ts'
import { firstFrom, positionGroups } from './trader-snapshot.ts'

/** Sums over a trader's positions closed in a period. */
export interface ClosedPositionSums {
  count: number
  wins: number
  longCount: number
  longWins: number
  /** Sum of closedPnl: price only, without fees and funding. */
  pnl: Usd
  longPnl: Usd
  heldMs: number
  leverage: number
}

const NO_CLOSED_POSITIONS: ClosedPositionSums = {
  count: 0,
  wins: 0,
  longCount: 0,
  longWins: 0,
  pnl: ZERO,
  longPnl: ZERO,
  heldMs: 0,
  leverage: 0,
}

/** By trader id, over positions with fromMs <= closeMs <= atMs. */
export function closedPositionSums(
  world: World,
  fromMs: TapeMs,
  atMs: TapeMs,
): (trader: number) => ClosedPositionSums {
  const parts = runningSums(world)
  const known = new Map<number, ClosedPositionSums>()
  const made = (trader: number): ClosedPositionSums =>
    parts.reduce((before, { firsts, closeMs, sums }) => {
      const [start, end] = [firsts[trader] ?? 0, firsts[trader + 1] ?? 0]
      const first = firstFrom(closeMs, fromMs, start, end)
      const next = firstFrom(closeMs, atMs + 1, first, end)
      return next === first ? before : joined(before, difference(sums, next, first))
    }, NO_CLOSED_POSITIONS)
  return (trader) => {
    const sums = known.get(trader) ?? made(trader)
    known.set(trader, sums)
    return sums
  }
}

function joined(one: ClosedPositionSums, other: ClosedPositionSums): ClosedPositionSums {
  if (one === NO_CLOSED_POSITIONS) return other
  return {
    count: one.count + other.count,
    wins: one.wins + other.wins,
    longCount: one.longCount + other.longCount,
    longWins: one.longWins + other.longWins,
    pnl: sum([one.pnl, other.pnl]),
    longPnl: sum([one.longPnl, other.longPnl]),
    heldMs: one.heldMs + other.heldMs,
    leverage: one.leverage + other.leverage,
  }
}

/** Summed fields of a position, in this order. */
const SUMMED = ['wins', 'longCount', 'longWins', 'pnl', 'longPnl', 'heldMs', 'leverage'] as const
const WIDTH = SUMMED.length

/** Positions grouped by trader, each in order of closing, and prefix sums. */
interface RunningSums {
  /** Start of each trader's positions; the next start is the end. */
  firsts: Uint32Array
  closeMs: Float64Array
  /** Of all positions before an index. */
  sums: Float64Array
}

const runningSums = perPositions((columns): RunningSums => {
  const { firsts, places } = positionGroups(columns.traders)
  const closeMs = new Float64Array(places.length)
  const sums = new Float64Array((places.length + 1) * WIDTH)
  places.forEach((place, at) => {
    const endMs = columns.closeMs[place] as number
    closeMs[at] = endMs
    // A position that never closes is in no sum.
    if (endMs < Number.POSITIVE_INFINITY) addPosition(columns, place, sums, at * WIDTH)
    else sums.copyWithin((at + 1) * WIDTH, at * WIDTH, (at + 1) * WIDTH)
  })
  return { firsts, closeMs, sums }
})

function addPosition(
  { openMs, closeMs, isLong, leverages, pnls }: PositionColumns,
  place: number,
  sums: Float64Array,
  from: number,
): void {
  const pnl = pnls[place] as number
  const long = isLong[place] as number
  const win = pnl > 0 ? 1 : 0
  const heldMs = (closeMs[place] as number) - (openMs[place] as number)
  const leverage = leverages[place] as number
  const to = from + WIDTH
  sums.copyWithin(to, from, to)
  // In the order of SUMMED, without allocating a list per position.
  addTo(sums, to, win)
  addTo(sums, to + 1, long)
  addTo(sums, to + 2, long * win)
  addTo(sums, to + 3, pnl)
  addTo(sums, to + 4, long * pnl)
  addTo(sums, to + 5, heldMs)
  addTo(sums, to + 6, leverage)
}

function addTo(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value
}

function difference(sums: Float64Array, next: number, first: number): ClosedPositionSums {
  const of = (name: (typeof SUMMED)[number]) => {
    const at = SUMMED.indexOf(name)
    return (sums[next * WIDTH + at] as number) - (sums[first * WIDTH + at] as number)
  }
  return {
    count: next - first,
    wins: of('wins'),
    longCount: of('longCount'),
    longWins: of('longWins'),
    pnl: usd(of('pnl')),
    longPnl: usd(of('longPnl')),
    heldMs: of('heldMs'),
    leverage: of('leverage'),
  }
}
