/**
 * What traders owned at the points of a grid. A point never changes, so days of points are kept;
 * what lies ahead is in them too, and callers ask for the past only.
 */

import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Moment } from '../../../contract/facts.ts'
import { sum, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { fundingBetween } from '../../accounting/funding.ts'
import { Cache } from '../../cache.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { chargeDelayMs, indexAt, lateCharges } from '../charges.ts'
import { gridOf } from '../grid.ts'
import { perWorld } from '../per-world.ts'
import { gridPriceAt, priceNow } from './prices.ts'
import { at, type Point, pointAt, readTrack, type Track } from './track.ts'
import type { Held } from './track-rows.ts'

/** Points from `fromMs` on at whole steps of the shown clock, and now; none before the first. */
export function pointsOf(
  world: World,
  moment: Moment,
  trader: number,
  stepMs: number,
  fromMs: TapeMs,
): Point[] {
  const { firstMs } = tracksOf(world).get(trader)
  const { atMs } = moment
  if (firstMs === null || firstMs > atMs) return []
  // One point before it began, where everything is zero.
  const times = gridOf(moment, stepMs, Math.max(fromMs, firstMs - stepMs), MOST)
  const points = daysOf(world).points(trader, stepMs, times, chargeDelayMs(moment))
  if (times.at(-1) !== atMs) points.push(pointNow(world, trader, moment))
  return points
}

/** What a trader owns at any instant. */
function pointNow(world: World, trader: number, { atMs, shiftMs }: Moment): Point {
  return pointAt(tracksOf(world).get(trader), atMs, {
    price: (of) => priceNow(world, of, atMs),
    paid: paidAt(world, trader, atMs, chargeDelayMs({ shiftMs })),
  })
}

/** Funding that is paid in all up to an instant. */
function paidAt(world: World, trader: number, timeMs: TapeMs, delayMs: number) {
  return (of: InstrumentRow, { sz, funding, fundingIndex }: Held): Usd => {
    const index = indexAt(world, of.id, timeMs, delayMs)
    const late = lateCharges(world, trader, of, timeMs, delayMs)
    return sum([funding, fundingBetween(sz, fundingIndex, index, of), late.allTime])
  }
}

/** What has come into a trader's accounts less what has gone out, up to any instant. */
export function cameIn(world: World, trader: number, atMs: TapeMs) {
  const { perpIn, spotIn } = tracksOf(world).get(trader)
  return { perp: at(perpIn, atMs) ?? ZERO, spot: at(spotIn, atMs) ?? ZERO }
}

/** Points to a curve at most: more than any story has. */
const MOST = 10_000
const DAY_MS = 86_400_000

/** Rows of tracks that are kept, about 100 bytes each. */
const KEPT_ROWS = 400_000
/** Points that are kept, about 100 bytes each. */
const KEPT_POINTS = 500_000

const tracksOf = perWorld((world) => new Tracks(world))
const daysOf = perWorld((world) => new Days(world))

class Tracks {
  private readonly kept = new Cache<number, Track>(KEPT_ROWS, ({ rows }) => rows)

  constructor(private readonly world: World) {}

  get(trader: number): Track {
    return this.kept.get(trader, () => readTrack(this.world, trader))
  }
}

class Days {
  private readonly kept = new Cache<string, Point[]>(KEPT_POINTS, ({ length }) => length)

  constructor(private readonly world: World) {}

  /** The points at instants that are whole steps apart. */
  points(trader: number, stepMs: number, times: readonly TapeMs[], delayMs: number): Point[] {
    const perDay = DAY_MS / stepMs
    const [firstMs = 0] = times
    const phaseMs = firstMs % stepMs
    const points: Point[] = []
    for (let step = (firstMs - phaseMs) / stepMs; points.length < times.length; ) {
      const day = Math.floor(step / perDay)
      const from = step - day * perDay
      const until = Math.min(perDay, from + times.length - points.length)
      const all = this.day(trader, stepMs, tapeMs(day * DAY_MS + phaseMs), delayMs)
      for (let at = from; at < until; at++) points.push(all[at] as Point)
      step += until - from
    }
    return points
  }

  private day(trader: number, stepMs: number, startMs: TapeMs, delayMs: number): readonly Point[] {
    const key = `${trader}/${stepMs}/${startMs}/${delayMs}`
    return this.kept.get(key, () => this.make(trader, stepMs, startMs, delayMs))
  }

  private make(trader: number, stepMs: number, startMs: TapeMs, delayMs: number): Point[] {
    const track = tracksOf(this.world).get(trader)
    return Array.from({ length: DAY_MS / stepMs }, (_, step) => {
      const timeMs = tapeMs(startMs + step * stepMs)
      return pointAt(track, timeMs, {
        price: (of) => gridPriceAt(this.world, of, timeMs),
        paid: paidAt(this.world, trader, timeMs, delayMs),
      })
    })
  }
}
