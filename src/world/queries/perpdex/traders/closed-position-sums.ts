/** Sums over the positions that traders closed or held in a period, in one pass over all. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { add, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { Cache } from '../../../cache.ts'
import { perWorld } from '../../../per-world.ts'
import { positionColumns } from '../../../rows/position-columns.ts'
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
): ReadonlyMap<number, ClosedPositionSums> {
  return latestSums(world).get(`${fromMs}/${atMs}`, () => sumClosedPositions(world, fromMs, atMs))
}

/** Periods whose sums are cached: a batch or a search asks for one again and again. */
const CACHE_LIMIT = 8
const latestSums = perWorld(
  () => new Cache<string, ReadonlyMap<number, ClosedPositionSums>>(CACHE_LIMIT),
)

function sumClosedPositions(
  world: World,
  fromMs: TapeMs,
  atMs: TapeMs,
): Map<number, ClosedPositionSums> {
  const positions = positionColumns(world)
  const { traders, openMs, closeMs, isLong, leverages, pnls } = positions
  const sums = new Map<number, ClosedPositionSums>()
  for (let at = firstFrom(closeMs, fromMs); at < positions.count; at++) {
    const endMs = closeMs[at] as number
    if (endMs > atMs) break
    const id = traders[at] as number
    let sum = sums.get(id)
    if (!sum) {
      sum = { ...NO_CLOSED_POSITIONS }
      sums.set(id, sum)
    }
    const gain = usd(pnls[at] as number)
    const long = isLong[at] as number
    const win = gain > ZERO ? 1 : 0
    sum.count++
    sum.wins += win
    sum.longCount += long
    sum.longWins += long * win
    sum.pnl = add(sum.pnl, gain)
    if (long === 1) sum.longPnl = add(sum.longPnl, gain)
    sum.heldMs += endMs - (openMs[at] as number)
    sum.leverage += leverages[at] as number
  }
  return sums
}

/** Instruments by trader in which a position was open at some time of the period. */
export function coinsHeld(world: World, fromMs: TapeMs, atMs: TapeMs): Map<number, Set<number>> {
  const positions = positionColumns(world)
  const { traders, instruments, openMs, closeMs } = positions
  const held = new Map<number, Set<number>>()
  for (let at = firstFrom(closeMs, fromMs); at < positions.count; at++) {
    if ((openMs[at] as number) > atMs) continue
    const id = traders[at] as number
    const coins = held.get(id) ?? new Set<number>()
    held.set(id, coins.add(instruments[at] as number))
  }
  return held
}

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
