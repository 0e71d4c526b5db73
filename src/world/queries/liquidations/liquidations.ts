/** Forced closings: sums, the largest, and maps over time and price. */
import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import { isoText } from '../../../contract/rebase.ts'
import type {
  CoinLiquidationStat,
  LiquidatedPosition,
  LiquidationColumn,
  LiquidationMap,
  LiquidationStat,
} from '../../../contract/records/liquidation.ts'
import { spanMs } from '../../../contract/span.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { edgesOf } from '../derivatives/window.ts'
import { wholeStep } from '../grid.ts'
import { type Closing, closingsOf } from './closings.ts'
import { columnsOf, mapOf } from './maps.ts'
import { compareSums, sumsOf, writeSums } from './sums.ts'
import { topPositions } from './top-positions.ts'

type Asked = Facts['liquidations']
type Query<Name extends keyof Asked> = Parameters<Asked[Name]>[0]

export class Liquidations implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  stat({ coin, interval }: Query<'stat'>): LiquidationStat {
    const fromMs = later(this.moment.atMs, -this.windowMs(interval))
    return this.written(this.secondOf(fromMs), this.closings(later(fromMs, 1), coin))
  }

  byCoin({ interval }: Query<'byCoin'>): CoinLiquidationStat[] {
    const fromMs = later(this.moment.atMs, 1 - this.windowMs(interval))
    const byCoin = Map.groupBy(this.closings(fromMs), ({ instrument }) => instrument)
    return [...byCoin]
      .map(([id, closings]) => ({ of: this.instrument(id), sums: sumsOf(closings) }))
      .sort((a, b) => compareSums(b.sums, a.sums) || a.of.id - b.of.id)
      .map(({ of, sums }) => ({ coin: of.coin, ...writeSums(sums) }))
  }

  history({ coin, interval, limit }: Query<'history'>): LiquidationStat[] {
    const { moment, world } = this
    const lengthMs = spanMs(interval)
    const edges = edgesOf({ interval, limit }, moment, world.meta.storyStartMs)
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

  topPositions({ coin, interval, limit }: Query<'topPositions'>): LiquidatedPosition[] {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return []
    const { atMs } = this.moment
    return topPositions(this.world, instrument, [later(atMs, -spanMs(interval)), atMs], limit)
  }

  columns({ coin, interval }: Query<'columns'>): LiquidationColumn[] {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return []
    const fromMs = later(this.moment.atMs, -spanMs(interval))
    return columnsOf(this.moment, instrument, {
      fromMs,
      closings: this.closings(later(fromMs, 1), coin),
    })
  }

  map({ coin, interval }: Query<'map'>): LiquidationMap | null {
    const instrument = this.world.byCoin.get(coin)
    if (instrument?.kind !== 'perp') return null
    const isDay = this.moment.answers['estimated-heatmap-interval'] === 'day'
    const lately = interval ?? (isDay ? '1d' : null)
    const { atMs } = this.moment
    const openedFromMs = lately === null ? tapeMs(0) : later(atMs, 1 - spanMs(lately))
    return mapOf(this.world, this.moment, instrument, openedFromMs)
  }

  private windowMs(interval: string | undefined): number {
    return spanMs(interval ?? this.moment.answers['liquidation-window'])
  }

  /** From an instant to the present, oldest first. */
  private closings(fromMs: TapeMs, coin?: string): Closing[] {
    const instrument = coin === undefined ? null : this.world.byCoin.get(coin)
    if (instrument === undefined) return []
    return closingsOf(this.world, instrument, fromMs, this.moment.atMs)
  }

  private written(startMs: TapeMs, closings: readonly Closing[]): LiquidationStat {
    return { startTime: isoText(startMs), ...writeSums(sumsOf(closings)) }
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
