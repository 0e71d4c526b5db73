import { HOUR_MS } from '../../clock/instant.ts'
import { absolute, raw } from '../../decimal/quantity.ts'
import type { PersonaPlanner } from './persona-planner.ts'

const VALUE = { ofHour: 0.01, leastUsd: 2_000, mostUsd: 60_000 }
const COUNT = 130
const DAYS = 29
/** One in so many is cancelled by its owner. */
const ENDED_EARLY = 9
const RUNNING = { hoursBefore: 4, minutes: 720 }

/**
 * Plans entries and exits by TWAPs of minutes, and one of half a day that runs when the tape
 * begins.
 */
export function planTwapWorker(planner: PersonaPlanner): void {
  const [past] = planner.perps
  if (!past) return
  const { context, startMs, dayMs, random } = planner
  const worker = planner.trader('twapWorker', 'twap', 400_000, 5)
  const sz = planner.size(past, VALUE)
  const start = (timeMs: number, minutes: number, share: number, leaves: boolean) =>
    context.tasks.put(timeMs, () => {
      const holding = worker.holding(past)
      const held = holding.sz
      const reduceOnly = leaves && raw(held) !== 0
      const side = reduceOnly && raw(held) > 0 ? ('A' as const) : ('B' as const)
      const order = {
        holding,
        side,
        sz: reduceOnly ? absolute(held) : sz,
        minutes,
        reduceOnly,
        share,
      }
      context.twaps.start(order, timeMs)
    })
  const stepMs = (DAYS * dayMs - 8 * HOUR_MS) / COUNT
  for (let at = 0; at < COUNT; at++) {
    const timeMs = Math.floor(startMs - DAYS * dayMs + (at + 0.5 * random.unit()) * stepMs)
    const leaves = at % 2 === 1
    const share = at % ENDED_EARLY === 4 ? 0.3 + 0.4 * random.unit() : 1
    start(timeMs, random.pick([5, 10, 10, 10]), share, leaves)
  }
  start(startMs - RUNNING.hoursBefore * HOUR_MS, RUNNING.minutes, 1, false)
}
