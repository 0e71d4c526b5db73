import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { accountOf, type Position } from '../account.ts'
import type { Place } from '../charges.ts'
import { perWorld } from '../per-world.ts'
import { standingPurses } from '../standing.ts'
import { tradersOf } from '../traders.ts'

/** Everybody's open position of one perpetual that was opened at openedFromMs or later. */
export function positionsOf(
  world: World,
  of: InstrumentRow,
  place: Place,
  openedFromMs: number,
): Position[] {
  const holders = open(world).values(of.id, openedFromMs, place.atMs, place.atMs) as [number][]
  const { address } = tradersOf(world)
  const purses = standingPurses(world, place)
  return holders.flatMap(([trader]) => {
    const purse = purses.read(address(trader), of.dex)
    const held = purse && accountOf(purse).positions.find(({ instrument }) => instrument === of)
    return held ?? []
  })
}

const open = perWorld(({ db }) =>
  db.prepare(
    `select trader from position where instrument = ? and openMs >= ? and openMs <= ?
     and (closeMs is null or closeMs > ?) order by trader`,
  ),
)
