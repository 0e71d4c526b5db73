/** Accounts and statistics as they are written (spec, Account and Statistics). */
import type { Moment } from '../../../contract/facts.ts'
import type { PnlCurve } from '../../../contract/records/curve.ts'
import type { Account, Statistics } from '../../../contract/records/trader.ts'
import { usdText } from '../../schema.ts'
import { fractionText } from '../fraction.ts'
import type { RoundSums } from './rounds.ts'
import type { Snapshot } from './snapshot.ts'

/** Net value of an account, micro-dollars: spot, and the equity on the main dex. */
export const totalOf = ({ main, spot }: Snapshot) => main.all.accountValue + Math.max(spot, 0)

/** Spot value as it is shown: of a unified account it holds the equity of the main dex. */
export function spotOf(snapshot: Snapshot, { answers }: Moment): number {
  return answers['account-mode'] === 'unified' ? totalOf(snapshot) : Math.max(snapshot.spot, 0)
}

/** Position value over equity on the main dex; "0" without equity. */
export function leverageText({ main: { all } }: Snapshot): string {
  return ratioText(all.totalNtlPos, all.accountValue)
}

/** Margin used over equity on the main dex; "0" without equity. */
export function usageText({ main: { all } }: Snapshot): string {
  return ratioText(Math.max(all.totalMarginUsed, 0), all.accountValue)
}

/** The row of an account. */
export function accountRow(moment: Moment, address: string, snapshot: Snapshot): Account {
  const { main, builder, operatedMs } = snapshot
  return {
    address,
    builderPerpValue: usdText(builder),
    currentPosition: main.positions.length,
    effLeverage: leverageText(snapshot),
    // Before the first operation clients are shown 0.
    lastOperationAt: operatedMs ?? -moment.shiftMs,
    leverage: null,
    marginUsage: usdText(main.all.totalMarginUsed),
    marginUsageRate: usageText(snapshot),
    perpValue: usdText(main.all.accountValue),
    spotValue: usdText(spotOf(snapshot, moment)),
    totalValue: usdText(totalOf(snapshot)),
  }
}

/** The row of an account with what it closed in a period. */
export function statisticsRow(
  account: Account,
  sums: RoundSums,
  pnlList: PnlCurve | null,
): Statistics {
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
    shortPnl: usdText(pnl - longPnl),
    shortWr: ratioText(wins - longWins, count - longCount),
    winRate: ratioText(wins, count),
  }
}

function ratioText(part: number, whole: number): string {
  return whole <= 0 ? '0' : fractionText(BigInt(part), BigInt(whole))
}
