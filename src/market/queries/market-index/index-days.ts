/** The change of an index over 24 hours. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import { compare } from '../../../decimal/quantity.ts'
import { fullMinute, minutePricesOf } from '../../rows/minute-prices.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'
import { Cache } from '../../world/cache.ts'
import { perWorld } from '../../world/per-world.ts'
import type { World } from '../../world/world.ts'
import type { IndexFormula } from './index-formula.ts'

/** Values in hundredths; how many members rose and fell. */
export interface IndexDay {
  open: number
  high: number
  low: number
  close: number
  up: number
  down: number
}

/** So many values are computed at once. */
const SLICE_MS = 15 * MINUTE_MS

/**
 * The 24 hours up to the last full minute; of an index that has one value a day, up to the last
 * shown midnight. null while the index has no value.
 */
export function* indexDayOf(
  world: World,
  key: string,
  formula: IndexFormula,
  { atMs, shiftMs }: Moment,
): Slices<IndexDay | null> {
  const nowMs = fullMinute(formula.isDaily ? wholeStep(atMs, shiftMs, DAY_MS) : atMs)
  const stepMs = formula.isDaily ? DAY_MS : MINUTE_MS
  const values = indexValuesOf(world)
  const beganMs = later(nowMs, -DAY_MS)
  for (const readMs of [nowMs, beganMs]) if (formula.read) yield* formula.read(readMs)
  const close = values.at(key, formula, nowMs)
  if (close === null) return null
  let [open, high, low]: [number | null, number, number] = [null, close, close]
  for (let minuteMs = beganMs; minuteMs < nowMs; minuteMs = later(minuteMs, stepMs)) {
    if (minuteMs % SLICE_MS === 0) yield
    const value = values.at(key, formula, minuteMs)
    if (value === null) continue
    open ??= value
    if (value > high) high = value
    if (value < low) low = value
  }
  const prices = minutePricesOf(world)
  const ways = formula.members.map(({ id }) => {
    const [now, before] = [prices.at(id, nowMs), prices.at(id, beganMs)]
    return now === null || before === null ? 0 : compare(now, before)
  })
  const up = ways.filter((way) => way > 0).length
  const down = ways.filter((way) => way < 0).length
  return { open: open ?? close, high, low, close, up, down }
}

/** Hours kept in memory, half a kilobyte each. */
const CACHE_LIMIT = 5_000

/** Values by index and minute, each computed once. */
const indexValuesOf = perWorld(() => {
  const hours = new Cache<string, Float64Array>(CACHE_LIMIT)
  return {
    at(key: string, formula: IndexFormula, minuteMs: TapeMs): number | null {
      const startMs = tapeMs(Math.floor(minuteMs / HOUR_MS) * HOUR_MS)
      const hour = hours.get(key + startMs, unknownHour)
      const place = (minuteMs - startMs) / MINUTE_MS
      const known = hour[place] as number
      if (known >= 0) return known
      const value = known === NO_VALUE ? null : formula.value(minuteMs)
      hour[place] = value ?? NO_VALUE
      return value
    },
  }
})

const NOT_READ = -1
const NO_VALUE = -2

const unknownHour = () => new Float64Array(60).fill(NOT_READ)
