import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import type { PersonaDesk } from './persona-desk.ts'
import { roundTripOrders } from './round-trip.ts'

const VALUE = { ofHour: 0, leastUsd: 60, mostUsd: 60 }

/** Three small trades in a week, of which the second goes well; then nothing more so far. */
export function planBeginner(desk: PersonaDesk): void {
  const beginner = desk.trader('beginner', 'quiet', 300, 3)
  const [past] = desk.perps
  if (!past) return
  const sz = desk.size(past, VALUE)
  for (const [at, daysBack] of [6, 4, 2].entries()) {
    const openMs = desk.startMs - daysBack * DAY_MS + desk.random.between(0, 180) * MINUTE_MS
    const closings = Array.from({ length: 12 }, (_, hours) => openMs + (hours + 1) * HOUR_MS)
    beginner.plan(roundTripOrders(desk, { past, openMs, closings, sz, wins: at === 1 }))
  }
}
