/**
 * Accounts and statistics as they are written (the service's documentation, Account and
 * Statistics).
 */

import type { Moment } from '../../../../contract/facts.ts'
import type { PnlCurve } from '../../../../contract/records/pnl-curve.ts'
import type { TraderAccount, TraderStatistics } from '../../../../contract/records/trader.ts'
import { add, greater, raw, subtract, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { fractionText } from '../../../formatting/fraction.ts'
import { usdText } from '../../../schema/schema.ts'
import type { ClosedPositionSums } from './closed-position-sums.ts'
import type { TraderSnapshot } from './trader-snapshot.ts'

/** Net value of an account: spot, and the equity on the main dex. */
export const netValueOf = ({ main, spot }: TraderSnapshot) =>
  add(main.all.accountValue, greater(spot, ZERO))

/** Spot value as it is shown: of a unified account it holds the equity of the main dex. */
export function shownSpotOf(snapshot: TraderSnapshot, { answers }: Moment): Usd {
  return answers['account-mode'] === 'unified' ? netValueOf(snapshot) : greater(snapshot.spot, ZERO)
}

/** Position value over equity on the main dex; "0" without equity. */
export function leverageText({ main: { all } }: TraderSnapshot): string {
  return ratioText(raw(all.totalNtlPos), raw(all.accountValue))
}

/** Margin used over equity on the main dex; "0" without equity. */
export function usageText({ main: { all } }: TraderSnapshot): string {
  return ratioText(raw(greater(all.totalMarginUsed, ZERO)), raw(all.accountValue))
}

/** The row of an account. */
export function accountRecord(
  moment: Moment,
  address: string,
  snapshot: TraderSnapshot,
): TraderAccount {
  const { main, builder, lastActivityMs } = snapshot
  return {
    address,
    builderPerpValue: usdText(builder),
    currentPosition: main.positions.length,
    effLeverage: leverageText(snapshot),
    // Before the first operation clients are shown 0.
    lastOperationAt: lastActivityMs ?? -moment.shiftMs,
    leverage: null,
    marginUsage: usdText(main.all.totalMarginUsed),
    marginUsageRate: usageText(snapshot),
    perpValue: usdText(main.all.accountValue),
    spotValue: usdText(shownSpotOf(snapshot, moment)),
    totalValue: usdText(netValueOf(snapshot)),
  }
}

/** The row of an account with what it closed in a period. */
export function statisticsRecord(
  account: TraderAccount,
  sums: ClosedPositionSums,
  pnlList: PnlCurve | null,
): TraderStatistics {
  const { count, wins, longCount, longWins, pnl, longPnl, heldMs } = sums
  return {
    ...account,
    avgHoldingSec: count === 0 ? 0 : Math.floor(heldMs / count / 1000),
    longPnl: usdText(longPnl),
    longWr: ratioText(longWins, longCount),
    pnlList,
    positions: count,
    profitPositions: wins,
    realizedPnl: usdText(pnl),
    shortPnl: usdText(subtract(pnl, longPnl)),
    shortWr: ratioText(wins - longWins, count - longCount),
    winRate: ratioText(wins, count),
  }
}

function ratioText(part: number, whole: number): string {
  return whole <= 0 ? '0' : fractionText(BigInt(part), BigInt(whole))
}
