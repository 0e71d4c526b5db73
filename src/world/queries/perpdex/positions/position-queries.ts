/** A position over its life: its states, its value, its executions. */

import { later, shownAt, type TapeMs, tapeAt, tapeMs } from '../../../../clock/instant.ts'
import type {
  PositionIntervals,
  PositionSelector,
  PositionsFacts,
} from '../../../../contract/facts/perpdex/positions.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { isoText } from '../../../../contract/rebase.ts'
import type {
  PositionExecutions,
  PositionHistory,
  PositionPnls,
} from '../../../../contract/records/position-history.ts'
import { absolute, sum } from '../../../../decimal/quantity.ts'
import { averageText } from '../../../formatting/average.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { szText, usdText } from '../../../schema.ts'
import { bucketOf } from '../../../shown-time/time-bucket.ts'
import type { World } from '../../../world.ts'
import {
  executionsOf,
  type PositionExecution,
  type PositionLife,
  positionLifeOf,
} from './position-life.ts'
import { positionSnapshots } from './position-snapshots.ts'
import { positionStateAt } from './position-state.ts'

export class PositionQueries implements PositionsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  history(selector: PositionSelector): PositionHistory | null {
    const life = this.life(selector)
    if (!life) return null
    return { ...this.header(life), history: positionSnapshots(this.world, this.moment, life) }
  }

  pnls(selector: PositionSelector, { interval, limit }: PositionIntervals): PositionPnls | null {
    const life = this.life(selector)
    if (!life) return null
    const { instrument } = life
    const pnls = this.buckets(life, interval, limit).map(({ startMs, lastMs }) => {
      const { sz, value, unrealised } = positionStateAt(this.world, life, lastMs)
      return {
        time: startMs,
        size: szText(instrument, absolute(sz)),
        positionValue: usdText(value),
        unrealizedPnl: usdText(unrealised),
      }
    })
    return { ...this.header(life), interval, pnls }
  }

  executions(
    selector: PositionSelector,
    { interval, limit }: PositionIntervals,
  ): PositionExecutions | null {
    const life = this.life(selector)
    if (!life) return null
    const parts = executionsOf(this.world, life, life.closeMs ?? this.moment.atMs)
    const byStart = Map.groupBy(parts, ({ timeMs }) => this.bucket(interval, timeMs).startMs)
    const executions = [...byStart].slice(-limit).map(([time, own]) => {
      const bought = sumOf(life, own, 'B')
      const sold = sumOf(life, own, 'A')
      return {
        time,
        buyCount: bought.count,
        sellCount: sold.count,
        buySz: bought.size,
        sellSz: sold.size,
        buyAvgPx: bought.average,
        sellAvgPx: sold.average,
      }
    })
    return { ...this.header(life), interval, executions }
  }

  private life(selector: PositionSelector): PositionLife | null {
    return positionLifeOf(this.world, selector, this.moment.atMs)
  }

  private header({ trader, instrument, direction, isolated, openMs, closeMs }: PositionLife) {
    return {
      address: tradersOf(this.world).address(trader),
      coin: instrument.coin,
      direction,
      cross: !isolated,
      startTime: isoText(openMs),
      ...(closeMs === null ? {} : { endTime: isoText(closeMs) }),
    }
  }

  /** The newest intervals of its life, oldest first, each with its last instant. */
  private buckets({ openMs, closeMs }: PositionLife, interval: string, limit: number) {
    // A closed position is gone at the instant of its closing.
    const untilMs = closeMs === null ? this.moment.atMs : tapeMs(Math.max(openMs, closeMs - 1))
    const buckets: { startMs: TapeMs; lastMs: TapeMs }[] = []
    for (let atMs = untilMs; atMs >= openMs && buckets.length < limit; ) {
      const { startMs, endMs } = this.bucket(interval, atMs)
      buckets.push({ startMs, lastMs: tapeMs(Math.min(endMs - 1, untilMs)) })
      atMs = later(startMs, -1)
    }
    return buckets.reverse()
  }

  /** Intervals are those of the time that clients are shown. */
  private bucket(interval: string, timeMs: TapeMs) {
    const { shiftMs } = this.moment
    const shown = bucketOf(interval, shownAt(timeMs, shiftMs))
    if (!shown) throw new Error(`${interval} is no interval`)
    return { startMs: tapeAt(shown.startMs, shiftMs), endMs: tapeAt(shown.endMs, shiftMs) }
  }
}

function sumOf(
  { instrument }: PositionLife,
  parts: readonly PositionExecution[],
  side: PositionExecution['side'],
) {
  const own = parts.filter((part) => part.side === side)
  const sz = sum(own.map((part) => part.sz))
  const notional = sum(own.map((part) => part.notional))
  return {
    count: own.length,
    size: szText(instrument, sz),
    average: own.length === 0 ? null : averageText(instrument, sz, notional),
  }
}
