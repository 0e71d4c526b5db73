import type { TapeMs } from '../../../../clock/instant.ts'
import { perWorld } from '../../../per-world.ts'
import { accountSummaryOf, type ValuedPosition } from '../../../rows/account-summary.ts'
import { allAccountStates } from '../../../rows/all-account-states.ts'
import { columns } from '../../../rows/columns.ts'
import type { Place } from '../../../rows/funding-charges.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { type InstrumentRow, position } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** The open position of every account in one perpetual, if opened at openedFromMs or later. */
export function openPositionsOf(
  world: World,
  of: InstrumentRow,
  place: Place,
  openedFromMs: TapeMs,
): ValuedPosition[] {
  const holders = openPositionTraders(world).all(of.id, openedFromMs, place.atMs, place.atMs)
  const { address } = tradersOf(world)
  const accountStates = allAccountStates(world, place)
  return holders.flatMap(({ trader }) => {
    const accountState = accountStates.read(address(trader), of.dex)
    const held =
      accountState &&
      accountSummaryOf(accountState).positions.find(({ instrument }) => instrument === of)
    return held ?? []
  })
}

const openPositionTraders = perWorld(({ db }) =>
  columns({ trader: position.trader }).prepare<
    [instrument: number, fromMs: TapeMs, atMs: TapeMs, same: TapeMs]
  >(
    db,
    `from position where instrument = ? and openMs >= ? and openMs <= ?
     and (closeMs is null or closeMs > ?) order by trader`,
  ),
)
