/** Liquidations: sums, the largest, and maps over time and price. */
import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { LiquidationsFacts } from '../../../../contract/facts/perpdex/liquidations.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { isoText } from '../../../../contract/rebase.ts'
import type {
  CoinLiquidationStat,
  LiquidatedPosition,
  LiquidationColumn,
  LiquidationMap,
  LiquidationStat,
} from '../../../../contract/records/liquidation.ts'
import { spanMs } from '../../../../contract/span.ts'
import { lastUpTo } from '../../../binary-search.ts'
import { type LiquidationWindow, liquidationsBetween } from '../../../rows/liquidation-columns.ts'
import type { InstrumentRow } from '../../../schema.ts'
import { intervalEdges } from '../../../shown-time/interval-edges.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'
import { liquidationColumns, liquidationMap } from './liquidation-maps.ts'
import {
  compareByValue,
  liquidationSums,
  sumsByInstrument,
  sumsRecord,
} from './liquidation-sums.ts'
import { topPositions } from './top-positions.ts'

export class LiquidationQueries implements LiquidationsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  stat({ coin, interval }: Parameters<LiquidationsFacts['stat']>[0]): LiquidationStat {
    const fromMs = later(this.moment.atMs, -this.windowMs(interval))
    return this.written(this.secondOf(fromMs), this.window(later(fromMs, 1), coin))
  }

  byCoin({ interval }: Parameters<LiquidationsFacts['byCoin']>[0]): CoinLiquidationStat[] {
    const fromMs = later(this.moment.atMs, 1 - this.windowMs(interval))
    return sumsByInstrument(this.window(fromMs))
      .map(({ id, sums }) => ({ of: this.instrument(id), sums }))
      .sort((a, b) => compareByValue(b.sums, a.sums) || a.of.id - b.of.id)
      .map(({ of, sums }) => ({ coin: of.coin, ...sumsRecord(sums) }))
  }

  history({
    coin,
    interval,
    limit,
  }: Parameters<LiquidationsFacts['history']>[0]): LiquidationStat[] {
    const { moment, world } = this
    if (moment.answers['quiet-liquidations'] !== 'zero')
      return this.busyIntervals(coin, spanMs(interval), limit)
    const edges = intervalEdges({ interval, limit }, moment, world.meta.historyStartMs)
    return edges
      .slice(0, -1)
      .map((startMs, at) => {
        const lastMs = later(edges[at + 1] as TapeMs, -1)
        return this.written(startMs, this.window(startMs, coin, lastMs))
      })
      .reverse()
  }

  topPositions({
    coin,
    interval,
    limit,
  }: Parameters<LiquidationsFacts['topPositions']>[0]): LiquidatedPosition[] {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return []
    const { atMs } = this.moment
    return topPositions(this.world, instrument, [later(atMs, -spanMs(interval)), atMs], limit)
  }

  columns({ coin, interval }: Parameters<LiquidationsFacts['columns']>[0]): LiquidationColumn[] {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return []
    const fromMs = later(this.moment.atMs, -spanMs(interval))
    return liquidationColumns(this.moment, instrument, {
      fromMs,
      closed: this.window(later(fromMs, 1), coin),
    })
  }

  map({ coin, interval }: Parameters<LiquidationsFacts['map']>[0]): LiquidationMap | null {
    const instrument = this.world.byCoin.get(coin)
    if (instrument?.kind !== 'perp') return null
    const isDay = this.moment.answers['estimated-heatmap-interval'] === 'day'
    const lately = interval ?? (isDay ? '1d' : null)
    const { atMs } = this.moment
    const openedFromMs = lately === null ? tapeMs(0) : later(atMs, 1 - spanMs(lately))
    return liquidationMap(this.world, this.moment, instrument, openedFromMs)
  }

  private windowMs(interval: string | undefined): number {
    return spanMs(interval ?? this.moment.answers['liquidation-window'])
  }

  /** The newest intervals in which there was a liquidation, newest first. */
  private busyIntervals(coin: string | undefined, lengthMs: number, limit: number) {
    const all = this.window(tapeMs(0), coin)
    const { timesMs, instruments } = all.columns
    const found: LiquidationStat[] = []
    for (let last = all.last; last >= all.first && found.length < limit; last--) {
      if (all.of !== null && instruments[last] !== all.of.id) continue
      const startMs = this.startOf(tapeMs(timesMs[last] as number), lengthMs)
      const first = lastUpTo(timesMs, startMs - 1) + 1
      found.push(this.written(startMs, { ...all, first, last }))
      last = first
    }
    return found
  }

  /** From an instant to another, or to the present; none of an unknown coin. */
  private window(fromMs: TapeMs, coin?: string, toMs = this.moment.atMs): LiquidationWindow {
    const of = coin === undefined ? null : this.world.byCoin.get(coin)
    const isKnown = of !== undefined
    return liquidationsBetween(this.world, of ?? null, fromMs, isKnown ? toMs : tapeMs(-1))
  }

  private written(startMs: TapeMs, window: LiquidationWindow): LiquidationStat {
    return { startTime: isoText(startMs), ...sumsRecord(liquidationSums(window)) }
  }

  private startOf(timeMs: TapeMs, lengthMs: number): TapeMs {
    return wholeStep(timeMs, this.moment.shiftMs, lengthMs)
  }

  /** Whole seconds on the clock that clients are shown. */
  private secondOf(timeMs: TapeMs): TapeMs {
    return this.startOf(timeMs, 1_000)
  }

  private instrument(id: number): InstrumentRow {
    return this.world.instruments[id] as InstrumentRow
  }
}
