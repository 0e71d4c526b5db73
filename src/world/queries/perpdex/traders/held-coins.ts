/** In which instruments traders had a position in a period. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { perPositions } from '../../../rows/position-columns.ts'
import type { World } from '../../../world.ts'
import { firstFrom, positionGroups } from './position-groups.ts'

/** Tells of a trader and an instrument, by their ids, whether a position was open in a period. */
export type HeldCoins = (trader: number, instrument: number) => boolean

/** Positions open at some time of fromMs <= t <= atMs. */
export function heldCoins(world: World, fromMs: TapeMs, atMs: TapeMs): HeldCoins {
  const instruments = world.instruments.length
  const parts = positionsByCoin(world)
  return (trader, instrument) =>
    parts.some(({ firsts, openMs, closeMs }) => {
      const group = trader * instruments + instrument
      const end = firsts[group + 1] ?? 0
      // A trader has one position of an instrument at a time: the next to close is open, or none.
      const next = firstFrom(closeMs, fromMs, firsts[group] ?? 0, end)
      return next < end && (openMs[next] as number) <= atMs
    })
}

/** Positions of one trader and instrument after another, each in order of closing. */
const positionsByCoin = perPositions((columns, { instruments }) => {
  const groupOf = (trader: number, at: number) =>
    trader * instruments.length + (columns.instruments[at] as number)
  const { firsts, places } = positionGroups(columns.traders.map(groupOf))
  const ordered = (values: Float64Array) =>
    Float64Array.from(places, (place) => values[place] as number)
  return { firsts, openMs: ordered(columns.openMs), closeMs: ordered(columns.closeMs) }
})
