/** Maps of forced closings: those that happened, and those that open positions are heading for. */
import type { Moment } from '../../../contract/facts.ts'
import type { LiquidationColumn, LiquidationMap } from '../../../contract/records/liquidation.ts'
import { spanMs } from '../../../contract/span.ts'
import { entryPx } from '../../accounting/position.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { cellWriter } from '../derivatives/cells.ts'
import { WHOLE_SHARE } from '../derivatives/shares.ts'
import { markPx } from '../purse.ts'
import { wideText } from '../wording.ts'
import { positionsOf } from './positions.ts'
import type { Closing } from './sums.ts'

/** What happened after fromMs, by stretches of time; each at the average price of its trades. */
export function columnsOf(
  { atMs, shiftMs, answers }: Moment,
  of: InstrumentRow,
  { fromMs, closings }: { fromMs: number; closings: readonly Closing[] },
): LiquidationColumn[] {
  const lengthMs = stretchMs(atMs - fromMs)
  const startOf = (timeMs: number) => Math.floor((timeMs + shiftMs) / lengthMs) * lengthMs - shiftMs
  const filled = closings.filter(({ notional }) => notional > 0)
  const writer = writerOf(of, answers)
  return [...Map.groupBy(filled, ({ timeMs }) => startOf(timeMs))].map(([time, within]) => {
    const piles = new Piles(writer.bin)
    for (const { direction, sz, notional } of within) {
      const px = entryPx({ sz, cost: notional }, of.szDecimals, MONEY_DECIMALS, of.pxDecimals)
      piles[direction](px, notional)
    }
    return { time, coin: of.coin, ...written(writer, piles) }
  })
}

/** Where positions opened since would be closed by force; null without a price. */
export function mapOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  openedFromMs: number,
): LiquidationMap | null {
  const { atMs, answers } = moment
  const mark = markPx(world, of, atMs)
  if (mark === null) return null
  const writer = writerOf(of, answers)
  const piles = new Piles(writer.bin)
  const totals = { long: 0n, short: 0n }
  for (const { sz, value, liquidationPx: px } of positionsOf(world, of, moment, openedFromMs)) {
    const direction = sz > 0 ? 'long' : 'short'
    if (px === null || !isAhead(px, mark, direction)) continue
    piles[direction](px, value)
    totals[direction] += BigInt(value)
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
function isAhead(px: number, mark: number, direction: 'long' | 'short'): boolean {
  return direction === 'long' ? px < mark && 2 * px >= mark : px > mark && 2 * px <= 3 * mark
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

  constructor(private readonly bin: (px: number) => number) {}

  long(px: number, micros: number): void {
    this.add(this.longs, px, micros)
  }

  short(px: number, micros: number): void {
    this.add(this.shorts, px, micros)
  }

  private add(cells: Map<number, number>, px: number, micros: number): void {
    const bin = this.bin(px)
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
