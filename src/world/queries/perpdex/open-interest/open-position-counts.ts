/** How many positions were open at an instant, by coin and direction. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { lastUpTo } from '../../../binary-search.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { position } from '../../../schema.ts'

export type Direction = 'long' | 'short'

/** Counts the positions of an instrument's id that were open then. */
export const openPositionCounts = perWorld(({ db }) => {
  const timesByKey = new Map<string, PositionTimes>()
  const { instrument, direction, openMs, closeMs } = position
  const rows = columns({ instrument, direction, openMs, closeMs }).prepare<[]>(db, 'from position')
  for (const { instrument, direction, openMs, closeMs } of rows.all()) {
    const key = `${instrument}/${direction}`
    const times = timesByKey.get(key) ?? { opened: [], closed: [] }
    timesByKey.set(key, times)
    times.opened.push(openMs)
    if (closeMs !== null) times.closed.push(closeMs)
  }
  const lists = new Map([...timesByKey].map(([key, times]) => [key, sorted(times)]))
  return (instrument: number, direction: Direction, atMs: TapeMs): number => {
    const list = lists.get(`${instrument}/${direction}`)
    // Closed at the very instant is closed.
    return list ? lastUpTo(list.opened, atMs) - lastUpTo(list.closed, atMs) : 0
  }
})

interface PositionTimes {
  opened: TapeMs[]
  closed: TapeMs[]
}

const sorted = ({ opened, closed }: PositionTimes) => ({
  opened: Float64Array.from(opened).sort(),
  closed: Float64Array.from(closed).sort(),
})
