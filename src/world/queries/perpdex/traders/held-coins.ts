/** In which instruments traders had a position in a period. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { perWorld } from '../../../per-world.ts'
import { positionColumns } from '../../../rows/position-columns.ts'
import type { World } from '../../../world.ts'
import { firstFrom, positionGroups } from './position-groups.ts'

/** Tells of a trader and an instrument, by their ids, whether a position was open in a period. */
export type HeldCoins = (trader: number, instrument: number) => boolean

/** Positions open at some time of fromMs <= t <= atMs. */
export function heldCoins(world: World, fromMs: TapeMs, atMs: TapeMs): HeldCoins {
  const { firsts, openMs, closeMs } = positionsByCoin(world)
  const instruments = world.instruments.length
  return (trader, instrument) => {
    const group = trader * instruments + instrument
    const end = firsts[group + 1] ?? 0
    // A trader has one position of an instrument at a time: the next to close is open, or none is.
    const next = firstFrom(closeMs, fromMs, firsts[group] ?? 0, end)
    return next < end && (openMs[next] as number) <= atMs
  }
}

/** Positions of one trader and instrument after another, each in order of closing. */
const positionsByCoin = perWorld((world) => {
  const columns = positionColumns(world)
  const groupOf = (trader: number, at: number) =>
    trader * world.instruments.length + (columns.instruments[at] as number)
  const { firsts, places } = positionGroups(columns.traders.map(groupOf))
  const ordered = (values: Float64Array) =>
    Float64Array.from(places, (place) => values[place] as number)
  return { firsts, openMs: ordered(columns.openMs), closeMs: ordered(columns.closeMs) }
})
