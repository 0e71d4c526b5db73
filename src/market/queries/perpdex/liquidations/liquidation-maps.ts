/** Maps of liquidations: past ones, and estimated ones of open positions. */

import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { LiquidationColumn, LiquidationMap } from '../../../../contract/records/liquidation.ts'
import { spanMs } from '../../../../contract/span.ts'
import { type Px, px, raw, sz, times, usd, ZERO } from '../../../../decimal/quantity.ts'
import { entryPx } from '../../../accounting/position.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { priceCells } from '../../../formatting/price-cells.ts'
import {
  AccountStateReader,
  accountSummaryOf,
  type ValuedPosition,
} from '../../../rows/account-state.ts'
import type { Place } from '../../../rows/funding-charges.ts'
import { type LiquidationWindow, placesOf } from '../../../rows/liquidation-columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { positionColumns } from '../../../rows/position-columns.ts'
import { lastUpTo } from '../../../rows/step-series.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText } from '../../../schema/schema.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world/world.ts'

/** Liquidations after fromMs, by intervals of time; each at the average price of its trades. */
export function liquidationColumns(
  { atMs, shiftMs, answers }: Moment,
  of: InstrumentRow,
  { fromMs, closed }: { fromMs: TapeMs; closed: LiquidationWindow },
): LiquidationColumn[] {
  const lengthMs = columnMs(atMs - fromMs)
  const writer = cellWriterOf(of, answers)
  const byStart = new Map<TapeMs, CellSums>()
  const { timesMs, isLong, sizes, notionals } = closed.columns
  for (const at of placesOf(closed)) {
    const notional = notionals[at] as number
    if (notional <= 0) continue
    const startMs = wholeStep(tapeMs(timesMs[at] as number), shiftMs, lengthMs)
    const sums = byStart.get(startMs) ?? new CellSums(writer.bin)
    byStart.set(startMs, sums)
    const held = { sz: sz(sizes[at] as number), cost: usd(notional) }
    const average = px(entryPx(held, of.szDecimals, MONEY_DECIMALS, of.pxDecimals))
    sums[isLong[at] === 1 ? 'long' : 'short'](average, notional)
  }
  return [...byStart].map(([time, sums]) => ({ time, coin: of.coin, ...mapRecord(writer, sums) }))
}

/** Liquidation prices of positions opened since; null without a price. */
export function liquidationMap(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  openedFromMs: TapeMs,
): LiquidationMap | null {
  const { atMs, answers } = moment
  const mark = markPx(world, of, atMs)
  if (mark === null) return null
  const writer = cellWriterOf(of, answers)
  const sums = new CellSums(writer.bin)
  const totals = { long: 0n, short: 0n }
  for (const { sz: held, value, liquidationPx: due } of openPositionsOf(
    world,
    of,
    moment,
    openedFromMs,
  )) {
    const direction = held > ZERO ? 'long' : 'short'
    if (due === null || !isAhead(due, mark, direction)) continue
    sums[direction](due, raw(value))
    totals[direction] += BigInt(raw(value))
  }
  return {
    coin: of.coin,
    time: atMs,
    markPx: pxText(of, mark),
    ...mapRecord(writer, sums),
    longTotal: bigintText(totals.long, MONEY_DECIMALS),
    shortTotal: bigintText(totals.short, MONEY_DECIMALS),
  }
}

/** Whether a price lies on the liquidating side, and at most half of the mark price away. */
function isAhead(due: Px, mark: Px, direction: 'long' | 'short'): boolean {
  const twice = times(due, 2)
  return direction === 'long' ? due < mark && twice >= mark : due > mark && twice <= times(mark, 3)
}

/** Maximum number of intervals in a map. */
const COLUMNS_MAX = 96

function columnMs(windowMs: number): number {
  const lengths = ['1m', '5m', '15m', '1h', '4h'].map(spanMs)
  return lengths.find((lengthMs) => windowMs <= COLUMNS_MAX * lengthMs) ?? spanMs('1d')
}

/** Micro-dollars by cell, for both directions. */
class CellSums {
  readonly longs = new Map<number, number>()
  readonly shorts = new Map<number, number>()

  constructor(private readonly bin: (price: Px) => number) {}

  long(price: Px, micros: number): void {
    this.add(this.longs, price, micros)
  }

  short(price: Px, micros: number): void {
    this.add(this.shorts, price, micros)
  }

  private add(cells: Map<number, number>, price: Px, micros: number): void {
    const bin = this.bin(price)
    cells.set(bin, (cells.get(bin) ?? 0) + micros)
  }
}

type CellWriter = ReturnType<typeof priceCells>

function cellWriterOf(of: InstrumentRow, answers: Moment['answers']): CellWriter {
  const isText = answers['estimated-liquidation-cells'] === 'text'
  return priceCells(of, { isText, decimals: MONEY_DECIMALS })
}

function mapRecord(writer: CellWriter, { longs, shorts }: CellSums) {
  const mapping: ['from', 'to', 'turnover'] = ['from', 'to', 'turnover']
  return { mapping, long: writer.cells(longs), short: writer.cells(shorts) }
}

/**
 * Open positions of all accounts in one perpetual, opened at openedFromMs or later, in the order of
 * the traders.
 */
function openPositionsOf(
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
