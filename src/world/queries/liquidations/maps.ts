/** Maps of forced closings: those that happened, and those that open positions are heading for. */

import type { TapeMs } from '../../../clock/instant.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { LiquidationColumn, LiquidationMap } from '../../../contract/records/liquidation.ts'
import { spanMs } from '../../../contract/span.ts'
import { type Px, px, raw, times, ZERO } from '../../../decimal/quantity.ts'
import { entryPx } from '../../accounting/position.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { cellWriter } from '../derivatives/cells.ts'
import { WHOLE_SHARE } from '../derivatives/shares.ts'
import { wholeStep } from '../grid.ts'
import { markPx } from '../purse.ts'
import { wideText } from '../wording.ts'
import type { Closing } from './closings.ts'
import { positionsOf } from './positions.ts'

/** What happened after fromMs, by stretches of time; each at the average price of its trades. */
export function columnsOf(
  { atMs, shiftMs, answers }: Moment,
  of: InstrumentRow,
  { fromMs, closings }: { fromMs: TapeMs; closings: readonly Closing[] },
): LiquidationColumn[] {
  const lengthMs = stretchMs(atMs - fromMs)
  const startOf = (timeMs: TapeMs) => wholeStep(timeMs, shiftMs, lengthMs)
  const filled = closings.filter(({ notional }) => notional > ZERO)
  const writer = writerOf(of, answers)
  return [...Map.groupBy(filled, ({ timeMs }) => startOf(timeMs))].map(([time, within]) => {
    const piles = new Piles(writer.bin)
    for (const { direction, sz, notional } of within) {
      const held = { sz, cost: notional }
      const average = px(entryPx(held, of.szDecimals, MONEY_DECIMALS, of.pxDecimals))
      piles[direction](average, raw(notional))
    }
    return { time, coin: of.coin, ...written(writer, piles) }
  })
}

/** Where positions opened since would be closed by force; null without a price. */
export function mapOf(
  world: World,
  { atMs, answers }: Moment,
  of: InstrumentRow,
  openedFromMs: TapeMs,
): LiquidationMap | null {
  const mark = markPx(world, of, atMs)
  if (mark === null) return null
  const writer = writerOf(of, answers)
  const piles = new Piles(writer.bin)
  const totals = { long: 0n, short: 0n }
  for (const { sz, value, liquidationPx: due } of positionsOf(world, of, atMs, openedFromMs)) {
    const direction = sz > ZERO ? 'long' : 'short'
    if (due === null || !isAhead(due, mark, direction)) continue
    piles[direction](due, raw(value))
    totals[direction] += BigInt(raw(value))
  }
  return {
    coin: of.coin,
    time: atMs,
    markPx: pxText(of, mark),
    ...written(writer, piles),
    longTotal: wideText(totals.long, MONEY_DECIMALS),
    shortTotal: wideText(totals.short, MONEY_DECIMALS),
  }
}

/** On the side from which it would be met, and at most half of the mark price away. */
function isAhead(due: Px, mark: Px, direction: 'long' | 'short'): boolean {
  const twice = times(due, 2)
  return direction === 'long' ? due < mark && twice >= mark : due > mark && twice <= times(mark, 3)
}

/** Length of a stretch: at most so many fill a map. */
const STRETCHES = 96

function stretchMs(windowMs: number): number {
  const lengths = ['1m', '5m', '15m', '1h', '4h'].map(spanMs)
  return lengths.find((lengthMs) => windowMs <= STRETCHES * lengthMs) ?? spanMs('1d')
}

/** Micro-dollars by cell, for both directions. */
class Piles {
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

type Writer = ReturnType<typeof cellWriter>

function writerOf(of: InstrumentRow, answers: Moment['answers']): Writer {
  const isText = answers['estimated-liquidation-cells'] === 'text'
  return cellWriter(of, { share: WHOLE_SHARE, isText, decimals: MONEY_DECIMALS })
}

function written(writer: Writer, { longs, shorts }: Piles) {
  const mapping: ['from', 'to', 'turnover'] = ['from', 'to', 'turnover']
  return { mapping, long: writer.cells(longs), short: writer.cells(shorts) }
}
