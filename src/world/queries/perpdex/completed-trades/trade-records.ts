/** Completed trades as they are written. */

import type {
  CompletedTrade,
  ObservedCompletedTrade,
} from '../../../../contract/records/completed-trade.ts'
import { raw } from '../../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../../decimal/scaled.ts'
import { averageText } from '../../../formatting/average.ts'
import type { ClosedPosition } from '../../../rows/closed-positions.ts'
import { szText, usdText } from '../../../schema.ts'

/** As documented. */
export function completedTrade(closed: ClosedPosition): CompletedTrade {
  const { instrument: of, direction, openMs, closeMs, closedPnl, openNotional } = closed
  return {
    coin: of.coin,
    side: direction,
    entryPrice: averageText(of, closed.openSz, openNotional),
    exitPrice: averageText(of, closed.closeSz, closed.closeNotional),
    size: szText(of, closed.openSz),
    pnl: usdText(closedPnl),
    pnlPercent: percentText(raw(closedPnl), raw(openNotional)),
    openTime: openMs,
    closeTime: closeMs,
  }
}

/** As it was seen. */
export function seenTrade(closed: ClosedPosition): ObservedCompletedTrade {
  const { coin, side, entryPrice, exitPrice, size, pnl } = completedTrade(closed)
  return {
    coin,
    direction: side,
    entryPrice,
    closePrice: exitPrice,
    size,
    pnl,
    totalFee: usdText(closed.fees),
    marginMode: closed.isolated ? 'isolated' : 'cross',
    startTime: String(closed.openMs),
    endTime: String(closed.closeMs),
  }
}

/** part / whole in percent, two decimals at most; "0" of nothing. */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? '0' : format(mulDiv(part, 10_000, whole), 2)
}
