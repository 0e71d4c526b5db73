import { DAY_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { absolute, raw, sz as size, ZERO } from '../../../decimal/quantity.ts'
import { WHALE } from '../../casting/personas/whale.ts'
import type { PersonaDay } from './persona-day.ts'

/** A position is held for a week, and none for three days. */
const CYCLE_MS = 10 * DAY_MS
/** When in a cycle, counted from the tape's beginning, it is taken down and the next one built. */
const TAKEN_DOWN_MS = 1 * DAY_MS
const BUILT_MS = 4 * DAY_MS
const PART = { everyMs: 20 * MINUTE_MS, within: 0.75 }

/** Builds positions worth millions in the largest markets and takes them down, order by order. */
export function goOnAsWhale(day: PersonaDay): void {
  for (const market of day.perps.slice(0, WHALE.markets))
    day.each(`part of ${market.row.coin}`, partOf(), (timeMs, nth) => {
      const sinceMs = nth * PART.everyMs
      const cycle = Math.floor(sinceMs / CYCLE_MS)
      const draws = day.draws(`cycle of ${market.row.coin}`, cycle)
      const lateMs = draws.between(0, 20) * 60 * MINUTE_MS
      const buys = draws.chance(0.5)
      const inCycleMs = sinceMs - cycle * CYCLE_MS - lateMs
      const holding = day.holding(market)
      const down = Math.floor((inCycleMs - TAKEN_DOWN_MS) / PART.everyMs)
      if (down >= 0 && down < WHALE.parts && holding.sz !== ZERO)
        day.close(
          holding,
          timeMs,
          size(Math.ceil(raw(absolute(holding.sz)) / (WHALE.parts - down))),
        )
      const up = Math.floor((inCycleMs - BUILT_MS) / PART.everyMs)
      if (up < 0 || up >= WHALE.parts) return
      const lot = raw(market.survey.lot)
      const part = Math.floor(raw(day.size(market, WHALE.value)) / WHALE.parts / lot) * lot
      day.take(holding, buys ? 'B' : 'A', size(Math.max(lot, part)), timeMs)
    })
}

const partOf = () => ({ periodMs: PART.everyMs, within: PART.within })
