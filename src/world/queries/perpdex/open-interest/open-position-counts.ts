/** How many positions were open at an instant, by coin and direction. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { lastUpTo } from '../../../binary-search.ts'
import { perPositions } from '../../../rows/position-columns.ts'
import type { World } from '../../../world.ts'

export type Direction = 'long' | 'short'

/** Counts the positions of an instrument's id that were open then. */
export const openPositionCounts =
  (world: World) =>
  (instrument: number, direction: Direction, atMs: TapeMs): number =>
    countsOf(world).reduce((sum, count) => sum + count(instrument, direction, atMs), 0)

const countsOf = perPositions(({ count, instruments, isLong, openMs, closeMs }) => {
  const timesByKey = new Map<number, PositionTimes>()
  for (let at = 0; at < count; at++) {
    const key = 2 * (instruments[at] as number) + (isLong[at] as number)
    const times = timesByKey.get(key) ?? { opened: [], closed: [] }
    timesByKey.set(key, times)
    times.opened.push(openMs[at] as number)
    times.closed.push(closeMs[at] as number)
  }
  const lists = new Map([...timesByKey].map(([key, times]) => [key, sorted(times)]))
  return (instrument: number, direction: Direction, atMs: TapeMs): number => {
    const list = lists.get(2 * instrument + (direction === 'long' ? 1 : 0))
    // Closed at the very instant is closed.
    return list ? lastUpTo(list.opened, atMs) - lastUpTo(list.closed, atMs) : 0
  }
})

interface PositionTimes {
  opened: number[]
  /** Rising: Infinity while it is open for ever. */
  closed: number[]
}

const sorted = ({ opened, closed }: PositionTimes) => ({
  opened: Float64Array.from(opened).sort(),
  closed: Float64Array.from(closed),
})
