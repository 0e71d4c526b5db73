/**
 * When a newsroom publishes: by the hour of the day in tape time, as the market is busy, and less
 * at weekends. So an article has the same id whenever it is shown.
 */
import { DAY_MS, HOUR_MS } from '../../../clock/durations.ts'
import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import { randomSource } from '../../../random/random-source.ts'
import { Cache } from '../../cache.ts'
import { perWorld } from '../../per-world.ts'
import { type ContentFeed, publishedAtMs } from './content-feed.ts'

/** How much is published by hour of the day, UTC: while Asia works, then Europe and America. */
const BY_HOUR = [
  ...[5, 8, 11, 11, 10, 9, 9, 11, 12, 12, 11, 10],
  ...[11, 14, 15, 14, 12, 10, 8, 6, 5, 4, 3, 3],
]
const WEEKEND = 0.55
/** Schedules of days kept in memory. */
const CACHE_LIMIT = 2_000

/** Due so many times on a weekday. */
export function onSchedule(number: number, daily: number): ContentFeed<unknown>['due'] {
  return (world, beforeMs) => {
    const { historyStartMs } = world.meta
    for (let day = Math.floor(beforeMs / DAY_MS); ; day--) {
      const times = scheduleOf(world)(number, daily, day)
      const found = times.findLast((timeMs) => timeMs < beforeMs)
      if (found !== undefined) return found < historyStartMs ? null : tapeMs(found)
      if ((day + 1) * DAY_MS < historyStartMs) return null
    }
  }
}

/** The instants of a day, rising. */
const scheduleOf = perWorld(({ meta: { seed } }) => {
  const days = new Cache<string, readonly TapeMs[]>(CACHE_LIMIT)
  return (number: number, daily: number, day: number) =>
    days.get(`${number}/${day}`, () => {
      const random = randomSource(seed, `column ${number} on day ${day}`)
      const isWeekend = (((day + 3) % 7) + 7) % 7 >= 5
      const count = Math.round(daily * (isWeekend ? WEEKEND : 1))
      // Never so near one another that two fall into the same half minute.
      return Array.from({ length: count }, (_, at) => {
        const ofDayMs = quantileMs((at + 0.1 + 0.8 * random.unit()) / count)
        return publishedAtMs(number, day * DAY_MS + Math.floor(ofDayMs))
      })
    })
})

/** The time of day up to which a part of the day's articles has been published. */
function quantileMs(part: number): number {
  let left = part * BY_HOUR.reduce((sum, one) => sum + one, 0)
  let hour = 0
  while (hour < 23 && left >= (BY_HOUR[hour] as number)) left -= BY_HOUR[hour++] as number
  return (hour + left / (BY_HOUR[hour] as number)) * HOUR_MS
}
