/**
 * What traders owned at the points of a grid. A point never changes, so days of points are kept;
 * what lies ahead is in them too, and callers ask for the past only.
 */

import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Moment } from '../../../contract/facts.ts'
import { ZERO } from '../../../decimal/quantity.ts'
import type { World } from '../../world.ts'
import { gridOf } from '../grid.ts'
import { perWorld } from '../per-world.ts'
import { gridPriceAt, priceNow } from './prices.ts'
import { at, type Point, pointAt, readTrack, type Track } from './track.ts'

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
  const points = daysOf(world).points(trader, stepMs, times)
  if (times.at(-1) !== atMs) points.push(pointNow(world, trader, atMs))
  return points
}

/** What a trader owns at any instant. */
export function pointNow(world: World, trader: number, atMs: TapeMs): Point {
  return pointAt(tracksOf(world).get(trader), atMs, (of) => priceNow(world, of, atMs))
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
  private readonly kept = new Map<number, Track>()
  private rows = 0

  constructor(private readonly world: World) {}

  get(trader: number): Track {
    const known = this.kept.get(trader)
    if (known) return known
    const track = readTrack(this.world, trader)
    this.kept.set(trader, track)
    this.rows += track.rows
    for (const [oldest, { rows }] of this.kept) {
      if (this.rows <= KEPT_ROWS || oldest === trader) break
      this.kept.delete(oldest)
      this.rows -= rows
    }
    return track
  }
}

class Days {
  private readonly kept = new Map<string, Point[]>()
  private held = 0

  constructor(private readonly world: World) {}

  /** The points at instants that are whole steps apart. */
  points(trader: number, stepMs: number, times: readonly TapeMs[]): Point[] {
    const perDay = DAY_MS / stepMs
    const [firstMs = 0] = times
    const phaseMs = firstMs % stepMs
    const points: Point[] = []
    for (let step = (firstMs - phaseMs) / stepMs; points.length < times.length; ) {
      const day = Math.floor(step / perDay)
      const from = step - day * perDay
      const until = Math.min(perDay, from + times.length - points.length)
      const all = this.day(trader, stepMs, tapeMs(day * DAY_MS + phaseMs))
      for (let at = from; at < until; at++) points.push(all[at] as Point)
      step += until - from
    }
    return points
  }

  private day(trader: number, stepMs: number, startMs: TapeMs): readonly Point[] {
    const key = `${trader}/${stepMs}/${startMs}`
    const known = this.kept.get(key)
    if (known) return known
    const made = this.make(trader, stepMs, startMs)
    this.keep(key, made)
    return made
  }

  private make(trader: number, stepMs: number, startMs: TapeMs): Point[] {
    const track = tracksOf(this.world).get(trader)
    return Array.from({ length: DAY_MS / stepMs }, (_, step) => {
      const timeMs = tapeMs(startMs + step * stepMs)
      return pointAt(track, timeMs, (of) => gridPriceAt(this.world, of, timeMs))
    })
  }

  private keep(key: string, points: Point[]): void {
    this.kept.set(key, points)
    this.held += points.length
    for (const [oldest, { length }] of this.kept) {
      if (this.held <= KEPT_POINTS) break
      this.kept.delete(oldest)
      this.held -= length
    }
  }
}
