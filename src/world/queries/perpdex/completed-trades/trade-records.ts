/** Completed trades as they are written. */

import type {
  CompletedTrade,
  ObservedCompletedTrade,
} from '../../../../contract/records/completed-trade.ts'
import { raw, type Sz, type Usd } from '../../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../../decimal/scaled.ts'
import { entryPx } from '../../../accounting/position.ts'
import type { ClosedPosition } from '../../../rows/closed-positions.ts'
import { type InstrumentRow, MONEY_DECIMALS, szText, usdText } from '../../../schema.ts'

/** As documented. */
export function completedTrade(round: ClosedPosition): CompletedTrade {
  const { instrument: of, direction, openMs, closeMs, closedPnl, openNotional } = round
  return {
    coin: of.coin,
    side: direction,
    entryPrice: averageText(of, round.openSz, openNotional),
    exitPrice: averageText(of, round.closeSz, round.closeNotional),
    size: szText(of, round.openSz),
    pnl: usdText(closedPnl),
    pnlPercent: percentText(raw(closedPnl), raw(openNotional)),
    openTime: openMs,
    closeTime: closeMs,
  }
}

/** As it was seen. */
export function seenTrade(round: ClosedPosition): ObservedCompletedTrade {
  const { coin, side, entryPrice, exitPrice, size, pnl } = completedTrade(round)
  return {
    coin,
    direction: side,
    entryPrice,
    closePrice: exitPrice,
    size,
    pnl,
    totalFee: usdText(round.fees),
    marginMode: round.isolated ? 'isolated' : 'cross',
    startTime: String(round.openMs),
    endTime: String(round.closeMs),
  }
}

/** notional / size, with one decimal more than prices have: an average lies between ticks. */
export function averageText(of: InstrumentRow, sz: Sz, notional: Usd): string {
  const decimals = of.pxDecimals + 1
  return format(entryPx({ sz, cost: notional }, of.szDecimals, MONEY_DECIMALS, decimals), decimals)
}

/** part / whole in percent, two decimals at most; "0" of nothing. */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? '0' : format(mulDiv(part, 10_000, whole), 2)
}
