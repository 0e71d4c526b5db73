/**
 * All perpetual positions of a world in memory, in order of their closing, so that all traders'
 * sums over a period take one pass. Rows are 40 bytes; positions that close later are in it too.
 */

import type { TapeMs } from '../../../../clock/instant.ts'
import { add, raw, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { position } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** Sums over the positions that a trader closed in a period. */
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

export const NO_CLOSED_POSITIONS: ClosedPositionSums = {
  count: 0,
  wins: 0,
  longCount: 0,
  longWins: 0,
  pnl: ZERO,
  longPnl: ZERO,
  heldMs: 0,
  leverage: 0,
}

/** Sums by trader over positions with fromMs <= closeMs <= atMs; who closed none is not in it. */
export function closedPositionSums(
  world: World,
  fromMs: TapeMs,
  atMs: TapeMs,
): Map<number, ClosedPositionSums> {
  const positions = positionColumns(world)
  const { trader, openMs, closeMs, isLong, leverage, pnl } = positions
  const sums = new Map<number, ClosedPositionSums>()
  for (let at = firstFrom(closeMs, fromMs); at < positions.count; at++) {
    const endMs = closeMs[at] as number
    if (endMs > atMs) break
    const id = trader[at] as number
    let sum = sums.get(id)
    if (!sum) {
      sum = { ...NO_CLOSED_POSITIONS }
      sums.set(id, sum)
    }
    const gain = usd(pnl[at] as number)
    const long = isLong[at] as number
    const win = gain > ZERO ? 1 : 0
    sum.count++
    sum.wins += win
    sum.longCount += long
    sum.longWins += long * win
    sum.pnl = add(sum.pnl, gain)
    if (long === 1) sum.longPnl = add(sum.longPnl, gain)
    sum.heldMs += endMs - (openMs[at] as number)
    sum.leverage += leverage[at] as number
  }
  return sums
}

/** Instruments by trader in which a position was open at some time of the period. */
export function coinsHeld(world: World, fromMs: TapeMs, atMs: TapeMs): Map<number, Set<number>> {
  const positions = positionColumns(world)
  const { trader, instrument, openMs, closeMs } = positions
  const held = new Map<number, Set<number>>()
  for (let at = firstFrom(closeMs, fromMs); at < positions.count; at++) {
    if ((openMs[at] as number) > atMs) continue
    const id = trader[at] as number
    const coins = held.get(id) ?? new Set<number>()
    held.set(id, coins.add(instrument[at] as number))
  }
  return held
}

const ROUNDS = columns({
  trader: position.trader,
  instrument: position.instrument,
  openMs: position.openMs,
  closeMs: position.closeMs,
  direction: position.direction,
  leverage: position.leverage,
  closedPnl: position.closedPnl,
})

const positionColumns = perWorld(({ db }) => {
  const rows = ROUNDS.prepare<[]>(db, 'from position order by closeMs is null, closeMs, id').all()
  return {
    count: rows.length,
    trader: Int32Array.from(rows, (row) => row.trader),
    instrument: Int16Array.from(rows, (row) => row.instrument),
    openMs: Float64Array.from(rows, (row) => row.openMs),
    closeMs: Float64Array.from(rows, (row) => row.closeMs ?? Number.POSITIVE_INFINITY),
    isLong: Uint8Array.from(rows, (row) => (row.direction === 'long' ? 1 : 0)),
    leverage: Uint16Array.from(rows, (row) => row.leverage),
    pnl: Float64Array.from(rows, (row) => raw(row.closedPnl)),
  }
})

/** The first place whose value is not below `least`. */
function firstFrom(values: Float64Array, least: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < least) low = middle + 1
    else high = middle
  }
  return low
}
