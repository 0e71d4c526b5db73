/** Liquidations: sums, the largest, and maps over time and price. */

import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { LiquidationsFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  CoinLiquidationStat,
  LiquidatedPosition,
  LiquidationColumn,
  LiquidationMap,
  LiquidationStat,
} from '../../../../contract/records/liquidation.ts'
import { isoText } from '../../../../contract/shown-value.ts'
import { spanMs } from '../../../../contract/span.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { columns, present } from '../../../rows/columns.ts'
import {
  type LiquidationWindow,
  liquidationsBetween,
  placesOf,
} from '../../../rows/liquidation-columns.ts'
import { lastUpTo } from '../../../rows/step-series.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  type InstrumentRow,
  liquidation,
  MONEY_DECIMALS,
  pxText,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import { intervalEdges, wholeStep } from '../../../shown-time/time-grid.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { liquidationColumns, liquidationMap } from './liquidation-maps.ts'

/** Sums over liquidations. A liquidation without a known trade counts, but has no fills. */
interface SideSums {
  count: number
  filled: bigint
  pnl: bigint
}

interface LiquidationSums {
  addresses: number
  long: SideSums
  short: SideSums
}

/** Sums over all liquidations of a window. */
function liquidationSums(window: LiquidationWindow): LiquidationSums {
  const { columns, first, of } = window
  const priors = of === null ? columns.priors : columns.ownPriors
  const adder = new SumsAdder()
  for (const at of placesOf(window)) adder.add(columns, at, (priors[at] as number) < first)
  return adder.sums()
}

/** By instrument.id; without empty ones. */
function sumsByInstrument({ columns, first, last }: LiquidationWindow) {
  const { instruments, ownPriors } = columns
  const adders = new Map<number, SumsAdder>()
  for (let at = first; at <= last; at++) {
    const id = instruments[at] as number
    const adder = adders.get(id) ?? new SumsAdder()
    adders.set(id, adder)
    adder.add(columns, at, (ownPriors[at] as number) < first)
  }
  return [...adders].map(([id, adder]) => ({ id, sums: adder.sums() }))
}

/** Compares by closed value. */
function compareByValue(a: LiquidationSums, b: LiquidationSums): number {
  const more = filledValue(a) - filledValue(b)
  return more > 0n ? 1 : more < 0n ? -1 : 0
}

/** In the service's form. */
function sumsRecord(sums: LiquidationSums): Omit<CoinLiquidationStat, 'coin'> {
  const { addresses, long, short } = sums
  return {
    addresses,
    shortLiquidations: short.count,
    longLiquidations: long.count,
    totalFilled: usd(filledValue(sums)),
    longFilled: usd(long.filled),
    shortFilled: usd(short.filled),
    totalPnl: usd(long.pnl + short.pnl),
    longPnl: usd(long.pnl),
    shortPnl: usd(short.pnl),
  }
}

class SumsAdder {
  private addresses = 0
  private readonly long = new SideAdder()
  private readonly short = new SideAdder()

  /** `isFirst`: the first one of its account. */
  add({ isLong, notionals, pnls }: LiquidationWindow['columns'], at: number, isFirst: boolean) {
    if (isFirst) this.addresses++
    const side = isLong[at] === 1 ? this.long : this.short
    side.count++
    side.filled.add(notionals[at] as number)
    side.pnl.add(pnls[at] as number)
  }

  sums(): LiquidationSums {
    return { addresses: this.addresses, long: this.long.sums(), short: this.short.sums() }
  }
}

class SideAdder {
  count = 0
  readonly filled = new ExactSum()
  readonly pnl = new ExactSum()

  sums(): SideSums {
    return { count: this.count, filled: this.filled.total(), pnl: this.pnl.total() }
  }
}

/** Adds plain numbers while they are exact: a window has tens of thousands. */
class ExactSum {
  private whole = 0n
  private part = 0

  add(value: number): void {
    const sum = this.part + value
    if (Number.isSafeInteger(sum)) this.part = sum
    else {
      this.whole += BigInt(this.part)
      this.part = value
    }
  }

  total(): bigint {
    return this.whole + BigInt(this.part)
  }
}

const filledValue = ({ long, short }: LiquidationSums) => long.filled + short.filled
const usd = (micros: bigint) => bigintText(micros, MONEY_DECIMALS)

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
    const { moment } = this
    if (moment.answers['quiet-liquidations'] !== 'zero')
      return this.busyIntervals(coin, spanMs(interval), limit)
    const edges = intervalEdges({ interval, limit }, moment, this.beginningMs(coin))
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

  /** Start of a coin's history, or of all; never for an unknown one. */
  private beginningMs(coin: string | undefined): number {
    if (coin === undefined) return this.world.meta.historyStartMs
    const of = this.world.byCoin.get(coin)
    return (of && tradeHoursOf(this.world).firstMs(of.id)) ?? Number.POSITIVE_INFINITY
  }

  private windowMs(interval: string | undefined): number {
    return spanMs(interval ?? this.moment.answers['liquidation-window'])
  }

  /** The newest intervals with a liquidation, newest first. */
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

  /** Whole seconds in shown time. */
  private secondOf(timeMs: TapeMs): TapeMs {
    return this.startOf(timeMs, 1_000)
  }

  private instrument(id: number): InstrumentRow {
    return this.world.instruments[id] as InstrumentRow
  }
}

/**
 * Liquidations with fromMs < time <= toMs, largest first. Those without trades in the tape have no
 * account, so they are left out.
 */
function topPositions(
  world: World,
  of: InstrumentRow,
  [fromMs, toMs]: readonly [TapeMs, TapeMs],
  limit: number,
): LiquidatedPosition[] {
  const rows = largestLiquidations(world).all(of.id, fromMs, toMs, limit)
  const { addressOf } = tradersOf(world)
  return rows.map((row) => ({
    time: row.timeMs,
    address: addressOf(row.trader, row.oid),
    coin: of.coin,
    direction: row.direction,
    oid: row.oid,
    liqPrice: pxText(of, row.liquidationPx ?? row.markPx),
    liquidatedVal: usdText(row.notional),
    pnl: usdText(row.closedPnl),
    startPosition: szText(of, row.startPosition),
    endPosition: szText(of, row.positionAfter),
  }))
}

/** Set wherever the trades are known. */
const LARGEST = columns({
  timeMs: liquidation.timeMs,
  trader: present(liquidation.trader),
  direction: liquidation.direction,
  oid: present(liquidation.oid),
  liquidationPx: liquidation.liquidationPx,
  markPx: liquidation.markPx,
  notional: liquidation.notional,
  closedPnl: liquidation.closedPnl,
  startPosition: present(liquidation.startPosition),
  positionAfter: present(liquidation.positionAfter),
})

const largestLiquidations = perWorld(({ db }) =>
  LARGEST.prepare<[instrument: number, afterMs: TapeMs, toMs: TapeMs, limit: number]>(
    db,
    `from liquidation where instrument = ? and timeMs > ? and timeMs <= ? and trader is not null
     order by notional desc, id limit ?`,
  ),
)
