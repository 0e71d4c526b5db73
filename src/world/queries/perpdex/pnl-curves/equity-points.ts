/**
 * What traders owned at the points of a grid. A point never changes, so days of points are cached;
 * what lies ahead is in them too, and callers ask for the past only.
 */

import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { sum, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { fundingBetween } from '../../../accounting/funding.ts'
import { Cache } from '../../../cache.ts'
import { perWorld } from '../../../per-world.ts'
import { chargeDelayMs, indexAt, lateCharges } from '../../../rows/funding-charges.ts'
import type { InstrumentRow } from '../../../schema.ts'
import { timeGrid } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'
import type { HeldPosition } from './account-change-rows.ts'
import {
  type AccountHistory,
  type EquityPoint,
  equityPointFrom,
  readAccountHistory,
  valueAt,
} from './account-history.ts'
import { gridQuoteAt, quoteNow } from './mark-quotes.ts'

/** Points from `fromMs` on at whole steps of the shown clock, and now; none before the first. */
export function equityPoints(
  world: World,
  moment: Moment,
  trader: number,
  stepMs: number,
  fromMs: TapeMs,
): EquityPoint[] {
  const { firstMs } = historiesOf(world).get(trader)
  const { atMs } = moment
  if (firstMs === null || firstMs > atMs) return []
  // One point before it began, where everything is zero.
  const times = timeGrid(moment, stepMs, Math.max(fromMs, firstMs - stepMs), POINTS_MAX)
  const points = dayPointsOf(world).points(trader, stepMs, times, chargeDelayMs(moment))
  if (times.at(-1) !== atMs) points.push(equityPointAt(world, trader, moment))
  return points
}

/** What a trader owns at any instant. */
function equityPointAt(world: World, trader: number, { atMs, shiftMs }: Moment): EquityPoint {
  return equityPointFrom(historiesOf(world).get(trader), atMs, {
    price: (of) => quoteNow(world, of, atMs),
    paid: paidAt(world, trader, atMs, chargeDelayMs({ shiftMs })),
  })
}

/** Funding that is paid in all up to an instant. */
function paidAt(world: World, trader: number, timeMs: TapeMs, delayMs: number) {
  return (of: InstrumentRow, { sz, funding, fundingIndex }: HeldPosition): Usd => {
    const index = indexAt(world, of.id, timeMs, delayMs)
    const late = lateCharges(world, trader, of, timeMs, delayMs)
    return sum([funding, fundingBetween(sz, fundingIndex, index, of), late.allTime])
  }
}

/** What has come into a trader's accounts less what has gone out, up to any instant. */
export function netDepositsAt(world: World, trader: number, atMs: TapeMs) {
  const { perpIn, spotIn } = historiesOf(world).get(trader)
  return { perp: valueAt(perpIn, atMs) ?? ZERO, spot: valueAt(spotIn, atMs) ?? ZERO }
}

/** Points to a curve at most: more than any world has. */
const POINTS_MAX = 10_000
const DAY_MS = 86_400_000

/** Rows of histories that are cached, about 100 bytes each. */
const CACHED_ROWS = 400_000
/** Points that are cached, about 100 bytes each. */
const CACHED_POINTS = 500_000

const historiesOf = perWorld((world) => new HistoryCache(world))
const dayPointsOf = perWorld((world) => new DayPointCache(world))

class HistoryCache {
  private readonly cached = new Cache<number, AccountHistory>(CACHED_ROWS, ({ rows }) => rows)

  constructor(private readonly world: World) {}

  get(trader: number): AccountHistory {
    return this.cached.get(trader, () => readAccountHistory(this.world, trader))
  }
}

class DayPointCache {
  private readonly cached = new Cache<string, EquityPoint[]>(CACHED_POINTS, ({ length }) => length)

  constructor(private readonly world: World) {}

  /** The points at instants that are whole steps apart. */
  points(trader: number, stepMs: number, times: readonly TapeMs[], delayMs: number): EquityPoint[] {
    const perDay = DAY_MS / stepMs
    const [firstMs = 0] = times
    const phaseMs = firstMs % stepMs
    const points: EquityPoint[] = []
    for (let step = (firstMs - phaseMs) / stepMs; points.length < times.length; ) {
      const day = Math.floor(step / perDay)
      const from = step - day * perDay
      const until = Math.min(perDay, from + times.length - points.length)
      const all = this.day(trader, stepMs, tapeMs(day * DAY_MS + phaseMs), delayMs)
      for (let at = from; at < until; at++) points.push(all[at] as EquityPoint)
      step += until - from
    }
    return points
  }

  private day(
    trader: number,
    stepMs: number,
    startMs: TapeMs,
    delayMs: number,
  ): readonly EquityPoint[] {
    const key = `${trader}/${stepMs}/${startMs}/${delayMs}`
    return this.cached.get(key, () => this.make(trader, stepMs, startMs, delayMs))
  }

  private make(trader: number, stepMs: number, startMs: TapeMs, delayMs: number): EquityPoint[] {
    const history = historiesOf(this.world).get(trader)
    return Array.from({ length: DAY_MS / stepMs }, (_, step) => {
      const timeMs = tapeMs(startMs + step * stepMs)
      return equityPointFrom(history, timeMs, {
        price: (of) => gridQuoteAt(this.world, of, timeMs),
        paid: paidAt(this.world, trader, timeMs, delayMs),
      })
    })
  }
}
