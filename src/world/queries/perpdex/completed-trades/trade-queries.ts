/** Completed trades and what they sum to. A period counts what closed in it. */

import { sql } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { CompletedTradesFacts } from '../../../../contract/facts/perpdex/completed-trades.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  AddressStat,
  BestTrade,
  CoinPerformance,
} from '../../../../contract/records/completed-trade.ts'
import { add, compare, portion, raw, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { fractionText } from '../../../formatting/fraction.ts'
import { perWorld } from '../../../per-world.ts'
import {
  type ClosedPosition,
  closedPositions,
  countClosedPositions,
} from '../../../rows/closed-positions.ts'
import { columns } from '../../../rows/columns.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { usdText } from '../../../schema.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world.ts'
import { drawdownOf } from '../pnl-curves/drawdown.ts'
import { completedTrade, percentText, seenTrade } from './trade-records.ts'

export class CompletedTradeQueries implements CompletedTradesFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  latest(address: string, { coin, limit }: Parameters<CompletedTradesFacts['latest']>[1]) {
    const trader = this.find(address)
    const instrument = this.instrument(coin)
    if (trader === null || instrument === undefined) return []
    const span = { fromMs: tapeMs(0), toMs: this.moment.atMs, instrument }
    return closedPositions(this.world, trader, span, { limit }).map(completedTrade)
  }

  between(address: string, query: Parameters<CompletedTradesFacts['between']>[1]) {
    const { pageNum, pageSize, fromMs = 0, toMs = this.moment.atMs } = query
    const isSeen = this.moment.answers['completed-by-time-form'] === 'seen'
    const trader = this.find(address)
    const instrument = this.instrument(query.coin)
    if (trader === null || instrument === undefined)
      return isSeen ? [] : { list: [], total: 0, pageNum, pageSize }
    const untilMs = tapeMs(Math.min(toMs, this.moment.atMs))
    const span = { fromMs: tapeMs(fromMs), toMs: untilMs, instrument }
    const page = { limit: pageSize, skip: (pageNum - 1) * pageSize }
    const closed = closedPositions(this.world, trader, span, page)
    if (isSeen) return closed.map(seenTrade)
    const total = countClosedPositions(this.world, trader, span)
    return { list: closed.map(completedTrade), total, pageNum, pageSize }
  }

  best(address: string, days: number, limit: number): BestTrade[] {
    return this.closedPositions(address, days)
      .sort((a, b) => compare(b.closedPnl, a.closedPnl) || b.closeMs - a.closeMs)
      .slice(0, limit)
      .map((trade) => {
        const { size: _, ...rest } = completedTrade(trade)
        return rest
      })
  }

  byCoin(address: string, days: number, limit: number): CoinPerformance[] {
    const byCoin = Map.groupBy(this.closedPositions(address, days), ({ instrument }) => instrument)
    return [...byCoin]
      .map(([of, closed]) => ({ of, count: closed.length, ...tradeSums(closed) }))
      .sort((a, b) => compare(b.pnl, a.pnl) || a.of.id - b.of.id)
      .slice(0, limit)
      .map(({ of, count, wins, pnl }) => ({
        coin: of.coin,
        tradeCount: count,
        winCount: wins,
        lossCount: count - wins,
        winRate: percentText(wins, count),
        totalPnl: usdText(pnl),
        avgPnl: usdText(portion(pnl, 1, count)),
      }))
  }

  stat(address: string, days: number): AddressStat {
    const { avgPosDuration, ...rest } = this.figures(address, days)
    return { avgPosDuration: String(avgPosDuration), ...rest }
  }

  stats(addresses: string[], days: number) {
    return addresses.map((given) => ({
      address: given.toLowerCase(),
      ...this.figures(given, days),
    }))
  }

  private figures(address: string, days: number) {
    const trader = this.find(address)
    const { atMs } = this.moment
    const closed = this.closedPositions(address, days)
    const { wins, pnl, heldMs } = tradeSums(closed)
    const drawdown = trader === null ? null : drawdownOf(this.world, this.moment, trader, days)
    const orders =
      trader === null ? null : ordersPlaced(this.world).get(trader, periodStart(days, atMs), atMs)
    return {
      avgPosDuration: closed.length === 0 ? 0 : Math.floor(heldMs / closed.length / 1000),
      closePosCount: closed.length,
      maxDrawdown: drawdown
        ? fractionText(BigInt(raw(drawdown.lost)), BigInt(raw(drawdown.base)))
        : '0',
      orderCount: orders?.n ?? 0,
      totalPnl: usdText(pnl),
      winRate: fractionText(BigInt(wins), BigInt(closed.length)),
    }
  }

  private closedPositions(address: string, days: number): ClosedPosition[] {
    const trader = this.find(address)
    if (trader === null) return []
    const { atMs } = this.moment
    return closedPositions(this.world, trader, { fromMs: periodStart(days, atMs), toMs: atMs })
  }

  private find(address: string): number | null {
    return tradersOf(this.world).find(address)?.id ?? null
  }

  /** null for every instrument, undefined for one that does not exist. */
  private instrument(coin: string | undefined): number | null | undefined {
    return coin === undefined ? null : this.world.byCoin.get(coin)?.id
  }
}

function tradeSums(closed: readonly ClosedPosition[]) {
  const sums = { wins: 0, pnl: ZERO as Usd, heldMs: 0 }
  for (const { closedPnl, openMs, closeMs } of closed) {
    if (closedPnl > ZERO) sums.wins++
    sums.pnl = add(sums.pnl, closedPnl)
    sums.heldMs += closeMs - openMs
  }
  return sums
}

const ordersPlaced = perWorld(({ db }) =>
  columns({ n: sql<number>`count(*)` }).prepare<[trader: number, fromMs: TapeMs, atMs: TapeMs]>(
    db,
    'from orders where trader = ? and timeMs >= ? and timeMs <= ?',
  ),
)
