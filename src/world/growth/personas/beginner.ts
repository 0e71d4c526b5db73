import { DAY_MS, HOUR_MS } from '../../../clock/durations.ts'
import { ZERO } from '../../../decimal/quantity.ts'
import type { PersonaDay } from './persona-day.ts'

const VALUE = { ofHour: 0, leastUsd: 60, mostUsd: 60 }
const PERIOD = { periodMs: 2 * DAY_MS, within: 0.5 }
const HELD_MOST_H = 12

/** A small trade every other day, which is over within hours. */
export function goOnAsBeginner(day: PersonaDay): void {
  const [market] = day.perps
  if (!market) return
  day.each('trade', PERIOD, (timeMs, nth) => {
    const holding = day.holding(market)
    const side = day.draws('side', nth).chance(0.6) ? 'B' : 'A'
    if (holding.sz === ZERO) day.take(holding, side, day.size(market, VALUE), timeMs)
  })
  // Looked at every hour, so that nothing need be known of when it was opened but the row.
  day.each('look', { periodMs: HOUR_MS, within: 1 }, (timeMs, nth) => {
    const holding = day.holding(market)
    const heldMs = timeMs - (holding.position?.openMs ?? timeMs)
    const isOver = heldMs > HELD_MOST_H * HOUR_MS || day.draws('end', nth).chance(0.2)
    if (heldMs > HOUR_MS && isOver) day.close(holding, timeMs)
  })
}
