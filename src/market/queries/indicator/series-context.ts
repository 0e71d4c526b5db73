import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { IndicatorRecord } from '../../../contract/records/indicator.ts'
import type { Pair } from '../../exchanges/pairs.ts'
import type { World } from '../../world/world.ts'
import type { KlineClock } from './kline-clock.ts'

/** What a series is made from. Interval i is `[edges[i], edges[i + 1])`. */
export interface SeriesContext {
  world: World
  moment: Moment
  pair: Pair
  /** dbKey of the pair. */
  symbol: string
  clock: KlineClock
  edges: TapeMs[]
}

/** The first instant of all intervals, and the first after them. */
export const endsOf = (edges: readonly TapeMs[]): [fromMs: TapeMs, toMs: TapeMs] => [
  edges[0] ?? tapeMs(0),
  edges.at(-1) ?? tapeMs(0),
]

/** The columns of each interval but its time; null where there is nothing yet. */
export type IndicatorSeries = (of: SeriesContext) => Slices<(IndicatorRecord | null)[]>

/** One value for each interval, by its first instant and the first after it; one a slice. */
export function* eachInterval<T>(
  edges: readonly TapeMs[],
  of: (fromMs: TapeMs, toMs: TapeMs) => T,
): Slices<T[]> {
  const values: T[] = []
  for (const [at, fromMs] of edges.slice(0, -1).entries()) {
    values.push(of(fromMs, edges[at + 1] as TapeMs))
    yield
  }
  return values
}
