import type { TapeMs } from '../../../clock/instant.ts'
import { columns } from '../../rows/columns.ts'
import { type InstrumentRow, position } from '../../schema.ts'
import type { World } from '../../world.ts'
import { accountOf, type Position } from '../account.ts'
import { perWorld } from '../per-world.ts'
import { standingPurses } from '../standing.ts'
import { tradersOf } from '../traders.ts'

/** Everybody's open position of one perpetual that was opened at openedFromMs or later. */
export function positionsOf(
  world: World,
  of: InstrumentRow,
  atMs: TapeMs,
  openedFromMs: TapeMs,
): Position[] {
  const holders = open(world).all(of.id, openedFromMs, atMs, atMs)
  const { address } = tradersOf(world)
  const purses = standingPurses(world, atMs)
  return holders.flatMap(({ trader }) => {
    const purse = purses.read(address(trader), of.dex)
    const held = purse && accountOf(purse).positions.find(({ instrument }) => instrument === of)
    return held ?? []
  })
}

const open = perWorld(({ db }) =>
  columns({ trader: position.trader }).prepare<
    [instrument: number, fromMs: TapeMs, atMs: TapeMs, same: TapeMs]
  >(
    db,
    `from position where instrument = ? and openMs >= ? and openMs <= ?
     and (closeMs is null or closeMs > ?) order by trader`,
  ),
)
