import type { TapeMs } from '../../../../clock/instant.ts'
import { lastUpTo } from '../../../binary-search.ts'
import { AccountStateReader } from '../../../rows/account-state.ts'
import { accountSummaryOf, type ValuedPosition } from '../../../rows/account-summary.ts'
import type { Place } from '../../../rows/funding-charges.ts'
import { positionColumns } from '../../../rows/position-columns.ts'
import type { InstrumentRow } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/**
 * The open position of every account in one perpetual, if opened at openedFromMs or later, in the
 * order of the traders.
 */
export function openPositionsOf(
  world: World,
  of: InstrumentRow,
  place: Place,
  openedFromMs: TapeMs,
): ValuedPosition[] {
  const accountStates = new AccountStateReader(world, place)
  return openPositionTraders(world, of, place.atMs, openedFromMs).flatMap((trader) => {
    const accountState = accountStates.readTrader(trader, of.dex)
    const held =
      accountState &&
      accountSummaryOf(accountState).positions.find(({ instrument }) => instrument === of)
    return held ?? []
  })
}

function openPositionTraders(
  world: World,
  of: InstrumentRow,
  atMs: TapeMs,
  openedFromMs: TapeMs,
): number[] {
  const found: number[] = []
  for (const { count, traders, instruments, openMs, closeMs } of positionColumns(world))
    for (let at = lastUpTo(closeMs, atMs) + 1; at < count; at++) {
      const openedMs = openMs[at] as number
      if (instruments[at] === of.id && openedMs >= openedFromMs && openedMs <= atMs)
        found.push(traders[at] as number)
    }
  return found.sort((a, b) => a - b)
}
