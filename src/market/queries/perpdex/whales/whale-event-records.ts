/** Events of whales in the words of the service. */

import { later, type TapeMs } from '../../../../clock/instant.ts'
import { isoText } from '../../../../contract/rebase.ts'
import type { WhaleEvent } from '../../../../contract/records/whale.ts'
import { negate, type Px, portion, type Sz, type Usd } from '../../../../decimal/quantity.ts'
import { format } from '../../../../decimal/scaled.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { entryPx, type NetPosition } from '../../../accounting/position.ts'
import { AccountStateReader } from '../../../rows/account-state.ts'
import { accountSummaryOf, type ValuedPosition } from '../../../rows/account-summary.ts'
import type { Place } from '../../../rows/funding-charges.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  type InstrumentRow,
  MONEY_DECIMALS,
  pxText,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import type { World } from '../../../world/world.ts'
import type { WhaleCandidate } from './whale-candidates.ts'

/** A fill, and what it left: signed size and cost. */
export interface WhaleOpening {
  timeMs: TapeMs
  px: Px
  sz: Sz
  cost: Usd
}

/** A position that has become a whale's, as it was then. */
export function openingEvent(
  world: World,
  candidate: WhaleCandidate,
  opening: WhaleOpening,
  shiftMs: number,
): WhaleEvent {
  const { instrument: of } = candidate
  const state = positionAt(world, candidate, { atMs: opening.timeMs, shiftMs })
  // More fills of that instant may have come after the one that did it.
  const { sz, cost } = state ?? opening
  return {
    ...traderFields(world, candidate),
    positionSize: szText(of, sz),
    entryPrice: entryText(of, { sz, cost }),
    liqPrice: liqText(of, state),
    positionValueUsd: usdText(positionValue(sz, opening.px, of)),
    positionAction: 1,
    createTime: isoText(opening.timeMs),
  }
}

/** A whale's position that is gone: the largest size it had, at the average closing price. */
export function closingEvent(world: World, candidate: WhaleCandidate, shiftMs: number): WhaleEvent {
  const { instrument: of, direction, closeMs, maxSz } = candidate
  const { openSz, openNotional, closeSz, closeNotional } = candidate
  return {
    ...traderFields(world, candidate),
    positionSize: szText(of, direction === 'long' ? maxSz : negate(maxSz)),
    entryPrice: entryText(of, { sz: openSz, cost: openNotional }),
    liqPrice: liqText(of, positionAt(world, candidate, { atMs: later(closeMs, -1), shiftMs })),
    positionValueUsd: usdText(portion(closeNotional, maxSz, closeSz)),
    positionAction: 2,
    createTime: isoText(closeMs),
  }
}

/** Average entry price; it lies between ticks, so it has one more decimal than prices have. */
export function entryText(of: InstrumentRow, holding: NetPosition): string {
  const decimals = of.pxDecimals + 1
  return format(entryPx(holding, of.szDecimals, MONEY_DECIMALS, decimals), decimals)
}

/** Liquidation price; null without one. */
export function liqText(of: InstrumentRow, position: ValuedPosition | null): string | null {
  return position?.liquidationPx ? pxText(of, position.liquidationPx) : null
}

/** Margin mode. */
export const modeOf = ({ isolated }: WhaleCandidate) => (isolated ? 'isolated' : 'cross')

function traderFields(world: World, candidate: WhaleCandidate) {
  return {
    user: tradersOf(world).address(candidate.trader),
    symbol: candidate.instrument.coin,
    marginMode: modeOf(candidate),
  } as const
}

/** The position as the account state had it; null when it was not open at that instant. */
function positionAt(world: World, candidate: WhaleCandidate, place: Place): ValuedPosition | null {
  const { trader, instrument, openMs, closeMs } = candidate
  if (place.atMs < openMs || place.atMs >= closeMs) return null
  const accountState = new AccountStateReader(world, place).read(
    tradersOf(world).address(trader),
    instrument.dex,
  )
  const positions = accountState ? accountSummaryOf(accountState).positions : []
  return positions.find((one) => one.instrument === instrument) ?? null
}
