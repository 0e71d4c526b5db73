/** What became of an index in 24 hours. */
import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import { compare } from '../../../decimal/quantity.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import type { Formula } from './formulas.ts'
import { MINUTE_MS, minuteOf, minutePricesOf } from './minutes.ts'

/** Values in hundredths; how many members rose and fell. */
export interface Day {
  open: number
  high: number
  low: number
  close: number
  up: number
  down: number
}

const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The 24 hours up to the last full minute; null while the index has no value. */
export function dayOf(world: World, key: string, formula: Formula, atMs: TapeMs): Day | null {
  const nowMs = minuteOf(atMs)
  const values = valuesOf(world)
  const close = values.at(key, formula, nowMs)
  if (close === null) return null
  let [open, high, low]: [number | null, number, number] = [null, close, close]
  const beganMs = later(nowMs, -DAY_MS)
  for (let minuteMs = beganMs; minuteMs < nowMs; minuteMs = later(minuteMs, MINUTE_MS)) {
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
const KEPT = 5_000

/** Values by index and minute, each reckoned once. */
const valuesOf = perWorld(() => {
  const hours = new Map<string, Float64Array>()
  return {
    at(key: string, formula: Formula, minuteMs: TapeMs): number | null {
      const startMs = tapeMs(Math.floor(minuteMs / HOUR_MS) * HOUR_MS)
      const hour = hours.get(key + startMs) ?? kept(hours, key + startMs)
      const place = (minuteMs - startMs) / MINUTE_MS
      const known = hour[place] as number
      if (known >= 0) return known
      const value = known === ABSENT ? null : formula.value(minuteMs)
      hour[place] = value ?? ABSENT
      return value
    },
  }
})

const UNKNOWN = -1
const ABSENT = -2

function kept(hours: Map<string, Float64Array>, key: string): Float64Array {
  if (hours.size >= KEPT) hours.clear()
  const hour = new Float64Array(60).fill(UNKNOWN)
  hours.set(key, hour)
  return hour
}
