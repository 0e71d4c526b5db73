/** Events of whales in the words of the service. */
import { isoText } from '../../../contract/rebase.ts'
import type { WhaleEvent } from '../../../contract/records/whale.ts'
import { format, share } from '../../../decimal/scaled.ts'
import { positionValue } from '../../accounting/margin.ts'
import { entryPx } from '../../accounting/position.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { accountOf, type Position } from '../account.ts'
import type { Place } from '../charges.ts'
import { PurseReader } from '../purse.ts'
import { tradersOf } from '../traders.ts'
import type { Candidate } from './candidates.ts'

/** A fill, and what it left: signed size and cost. */
export interface Opening {
  timeMs: number
  px: number
  sz: number
  cost: number
}

/** A position that has become a whale's, as it stood then. */
export function openingOf(
  world: World,
  candidate: Candidate,
  opening: Opening,
  shiftMs: number,
): WhaleEvent {
  const { instrument: of } = candidate
  const stood = positionAt(world, candidate, { atMs: opening.timeMs, shiftMs })
  // More fills of that instant may have come after the one that did it.
  const { sz, cost } = stood ?? opening
  return {
    ...whose(world, candidate),
    positionSize: szText(of, sz),
    entryPrice: entryText(of, { sz, cost }),
    liqPrice: liqText(of, stood),
    positionValueUsd: usdText(positionValue(sz, opening.px, of)),
    positionAction: 1,
    createTime: isoText(opening.timeMs),
  }
}

/** A whale's position that is gone: the largest size it had, at the average closing price. */
export function closingOf(world: World, candidate: Candidate, shiftMs: number): WhaleEvent {
  const { instrument: of, direction, closeMs, maxSz } = candidate
  const { openSz, openNotional, closeSz, closeNotional } = candidate
  return {
    ...whose(world, candidate),
    positionSize: szText(of, direction === 'long' ? maxSz : -maxSz),
    entryPrice: entryText(of, { sz: openSz, cost: openNotional }),
    liqPrice: liqText(of, positionAt(world, candidate, { atMs: closeMs - 1, shiftMs })),
    positionValueUsd: usdText(share(closeNotional, maxSz, closeSz)),
    positionAction: 2,
    createTime: isoText(closeMs),
  }
}

/** Average entry price; it lies between ticks, so it has one more decimal than prices have. */
export function entryText(of: InstrumentRow, holding: { sz: number; cost: number }): string {
  const decimals = of.pxDecimals + 1
  return format(entryPx(holding, of.szDecimals, MONEY_DECIMALS, decimals), decimals)
}

/** Liquidation price; null without one. */
export function liqText(of: InstrumentRow, position: Position | null): string | null {
  return position?.liquidationPx ? pxText(of, position.liquidationPx) : null
}

/** How margin is kept. */
export const modeOf = ({ isolated }: Candidate) => (isolated ? 'isolated' : 'cross')

function whose(world: World, candidate: Candidate) {
  return {
    user: tradersOf(world).address(candidate.trader),
    symbol: candidate.instrument.coin,
    marginMode: modeOf(candidate),
  } as const
}

/** The position as the account state had it; null when it was not open at that instant. */
function positionAt(world: World, candidate: Candidate, place: Place): Position | null {
  const { trader, instrument, openMs, closeMs } = candidate
  if (place.atMs < openMs || place.atMs >= closeMs) return null
  const purse = new PurseReader(world, place).read(tradersOf(world).address(trader), instrument.dex)
  const positions = purse ? accountOf(purse).positions : []
  return positions.find((one) => one.instrument === instrument) ?? null
}
