/** Completed trades and their sums. A period counts what closed in it. */

import { sql } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { CompletedTradesFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  AddressStat,
  BestTrade,
  CoinPerformance,
  CompletedTrade,
  ObservedCompletedTrade,
} from '../../../../contract/records/completed-trade.ts'
import {
  add,
  compare,
  format,
  mulDiv,
  portion,
  raw,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { averageText, fractionText } from '../../../formatting/decimal-text.ts'
import { columns, present, type RowOf } from '../../../rows/columns.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { type InstrumentRow, position, szText, usdText } from '../../../schema/schema.ts'
import { periodStart } from '../../../shown-time/time-grid.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { drawdownOf } from '../pnl-curves/pnl-curve.ts'

/** Perpetual positions that were closed in a span of time. */
const CLOSED = columns({
  id: position.id,
  instrument: position.instrument,
  direction: position.direction,
  isolated: position.isolated,
  leverage: position.leverage,
  openMs: position.openMs,
  closeMs: present(position.closeMs),
  openSz: position.openSz,
  openNotional: position.openNotional,
  closeSz: position.closeSz,
  closeNotional: position.closeNotional,
  closedPnl: position.closedPnl,
  fees: position.fees,
})

interface ClosedPosition extends Omit<RowOf<typeof CLOSED>, 'instrument'> {
  instrument: InstrumentRow
}

interface ClosingRange {
  /** Both ends are inclusive. */
  fromMs: TapeMs
  toMs: TapeMs
  instrument?: number | null
}

/** Newest first by closing; at most `limit` after the first `skip`. */
function closedPositions(
  world: World,
  trader: number,
  { fromMs, toMs, instrument = null }: ClosingRange,
  { limit = -1, skip = 0 }: { limit?: number; skip?: number } = {},
): ClosedPosition[] {
  const rows = statements(world).closed.all(trader, fromMs, toMs, instrument, limit, skip)
  return rows.map((row) => ({
    ...row,
    instrument: world.instruments[row.instrument] as InstrumentRow,
  }))
}

/** Their number. */
function countClosedPositions(
  world: World,
  trader: number,
  { fromMs, toMs, instrument = null }: ClosingRange,
): number {
  return statements(world).count.get(trader, fromMs, toMs, instrument)?.n ?? 0
}

type InRange = [trader: number, fromMs: TapeMs, toMs: TapeMs, instrument: number | null]

const statements = perWorld(({ db }) => {
  const from = `from position where trader = ?1 and closeMs >= ?2 and closeMs <= ?3
    and (?4 is null or instrument = ?4)`
  return {
    closed: CLOSED.prepare<[...InRange, limit: number, skip: number]>(
      db,
      `${from} order by closeMs desc, id desc limit ?5 offset ?6`,
    ),
    count: columns({ n: sql<number>`count(*)` }).prepare<InRange>(db, from),
  }
})

// Completed trades in their forms.

/** The documented form. */
function completedTrade(closed: ClosedPosition): CompletedTrade {
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

/** The observed form. */
function seenTrade(closed: ClosedPosition): ObservedCompletedTrade {
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

/** part / whole in percent, at most two decimals; "0" of nothing. */
function percentText(part: number, whole: number): string {
  return whole === 0 ? '0' : format(mulDiv(part, 10_000, whole), 2)
}

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

  /** null for every instrument, undefined for an unknown one. */
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
