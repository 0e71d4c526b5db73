/** Open interest of the perpetual venue: now by coin and in all, and over time. */

import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { OpenInterestFacts } from '../../../../contract/facts/perpdex/open-interest.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  CoinInterest,
  InterestPoint,
  InterestSummary,
} from '../../../../contract/records/open-interest.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import type { InstrumentRow } from '../../../schema.ts'
import { gridStep, timeGrid } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'
import {
  addSides,
  NO_OPEN_INTEREST,
  type OpenInterestSides,
  openInterestRecord,
  openInterestSides,
  openInterestSince,
  positionCount,
  totalValue,
} from './open-interest-sides.ts'

export class OpenInterestQueries implements OpenInterestFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  summary(): InterestSummary {
    const sides = this.perps().map((of) => openInterestSides(this.world, of, this.moment.atMs))
    return openInterestRecord(sides.reduce(addSides, NO_OPEN_INTEREST))
  }

  topCoins({ windowMs, limit }: Parameters<OpenInterestFacts['topCoins']>[0]): CoinInterest[] {
    const fromMs = later(this.moment.atMs, -windowMs)
    return this.perps()
      .map((of) => ({ coin: of.coin, stand: this.within(of, fromMs) }))
      .filter(({ stand }) => positionCount(stand) > 0)
      .sort((a, b) => compare(totalValue(b.stand), totalValue(a.stand)))
      .slice(0, limit)
      .map(({ coin, stand }) => ({ coin, ...openInterestRecord(stand) }))
  }

  *history({
    coin,
    windowMs,
  }: Parameters<OpenInterestFacts['history']>[0]): Slices<InterestPoint[]> {
    const of = this.world.byCoin.get(coin)
    const firstMs = of?.kind === 'perp' ? tradeHoursOf(this.world).firstMs(of.id) : null
    const { atMs, answers } = this.moment
    if (!of || firstMs === null || firstMs > atMs) return []
    const least = answers['open-interest-step'] === 'few' ? STEPS_MIN : FINE_STEPS
    const fromMs = Math.max(atMs - windowMs, firstMs)
    const times = timeGrid(this.moment, gridStep(windowMs, least), fromMs)
    if (times.at(-1) !== atMs) times.push(atMs)
    const points: InterestPoint[] = []
    for (const timeMs of times) {
      yield
      points.push(interestPoint(of, timeMs, openInterestSides(this.world, of, timeMs)))
    }
    return points
  }

  /** What the question `top-coins-window` says. */
  private within(of: InstrumentRow, fromMs: TapeMs): OpenInterestSides {
    const { world, moment } = this
    if (moment.answers['top-coins-window'] === 'opened')
      return openInterestSince(world, of, fromMs, moment.atMs)
    const last = tradeHoursOf(world).lastBefore(of.id, later(moment.atMs, 1))
    return last && last.timeMs > fromMs
      ? openInterestSides(world, of, moment.atMs)
      : NO_OPEN_INTEREST
  }

  private perps(): InstrumentRow[] {
    return this.world.listed.filter(({ kind }) => kind === 'perp')
  }
}

/** Steps that a window has at least. */
const STEPS_MIN = 3
const FINE_STEPS = 24

function interestPoint(
  { coin }: InstrumentRow,
  time: TapeMs,
  stand: OpenInterestSides,
): InterestPoint {
  const { positionCount, longPv, totalPv, avgPv } = openInterestRecord(stand)
  return { time, coin, positionCount, longCount: stand.longCount, longPv, totalPv, avgPv }
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
