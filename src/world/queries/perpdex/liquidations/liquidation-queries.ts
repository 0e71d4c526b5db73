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
import type { InstrumentRow } from '../../../schema.ts'
import { intervalEdges } from '../../../shown-time/interval-edges.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'
import { liquidationColumns, liquidationMap } from './liquidation-maps.ts'
import { type Closing, liquidationsBetween } from './liquidation-rows.ts'
import { compareByValue, liquidationSums, sumsRecord } from './liquidation-sums.ts'
import { topPositions } from './top-positions.ts'

export class LiquidationQueries implements LiquidationsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  stat({ coin, interval }: Parameters<LiquidationsFacts['stat']>[0]): LiquidationStat {
    const fromMs = later(this.moment.atMs, -this.windowMs(interval))
    return this.written(this.secondOf(fromMs), this.closings(later(fromMs, 1), coin))
  }

  byCoin({ interval }: Parameters<LiquidationsFacts['byCoin']>[0]): CoinLiquidationStat[] {
    const fromMs = later(this.moment.atMs, 1 - this.windowMs(interval))
    const byCoin = Map.groupBy(this.closings(fromMs), ({ instrument }) => instrument)
    return [...byCoin]
      .map(([id, closings]) => ({ of: this.instrument(id), sums: liquidationSums(closings) }))
      .sort((a, b) => compareByValue(b.sums, a.sums) || a.of.id - b.of.id)
      .map(({ of, sums }) => ({ coin: of.coin, ...sumsRecord(sums) }))
  }

  history({
    coin,
    interval,
    limit,
  }: Parameters<LiquidationsFacts['history']>[0]): LiquidationStat[] {
    const { moment, world } = this
    const lengthMs = spanMs(interval)
    const edges = intervalEdges({ interval, limit }, moment, world.meta.historyStartMs)
    const showsQuiet = moment.answers['quiet-liquidations'] === 'zero'
    const fromMs = showsQuiet ? (edges[0] ?? later(moment.atMs, 1)) : tapeMs(0)
    const closings = this.closings(fromMs, coin)
    const byStart = Map.groupBy(closings, ({ timeMs }) => this.startOf(timeMs, lengthMs))
    const starts = showsQuiet ? edges.slice(0, -1) : [...byStart.keys()]
    return starts
      .sort((a, b) => b - a)
      .slice(0, limit)
      .map((startMs) => this.written(startMs, byStart.get(startMs) ?? []))
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
      closings: this.closings(later(fromMs, 1), coin),
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

  /** From an instant to the present, oldest first. */
  private closings(fromMs: TapeMs, coin?: string): Closing[] {
    const instrument = coin === undefined ? null : this.world.byCoin.get(coin)
    if (instrument === undefined) return []
    return liquidationsBetween(this.world, instrument, fromMs, this.moment.atMs)
  }

  private written(startMs: TapeMs, closings: readonly Closing[]): LiquidationStat {
    return { startTime: isoText(startMs), ...sumsRecord(liquidationSums(closings)) }
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
