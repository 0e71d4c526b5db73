import { DAY_MS, MINUTE_MS } from '../../clock/instant.ts'
import { absolute, raw, sz as size, ZERO } from '../../decimal/quantity.ts'
import type { MarketPast } from '../casting/history/past.ts'
import type { PersonaPlanner, PlannedOrder } from './persona-planner.ts'
import type { PersonaSchedule } from './personas.ts'

const USD = 60_000_000
/** Endpoints call a position worth more than a million a whale's. */
const VALUE = { ofHour: 0.35, leastUsd: 2_500_000, mostUsd: 14_000_000 }
const MARKETS = 3
const PARTS = 8
/** Days before the tape on which positions are built and closed. */
const SPANS: readonly (readonly [fromDay: number, toDay: number | null])[] = [
  [27, 20],
  [17, 10],
  [6, null],
]

/** Plans large positions in the three most traded markets, built and closed order by order. */
export function planWhale(planner: PersonaPlanner): void {
  const { dayMs } = planner
  const whale = planner.trader('whale', 'whale', USD, 5)
  for (const past of planner.perps.slice(0, MARKETS))
    for (const [fromDay, toDay] of SPANS) {
      const buys = planner.random.chance(0.5)
      const openMs =
        planner.startMs - fromDay * dayMs + planner.random.between(0, 20) * (dayMs / 24)
      whale.plan(parts(planner, past, openMs, buys))
      if (toDay === null) continue
      const closeMs = planner.startMs - toDay * dayMs + planner.random.between(0, 20) * (dayMs / 24)
      whale.plan(parts(planner, past, closeMs, !buys))
    }
}

/** Orders that build or close a position, some minutes apart. */
function parts(
  planner: PersonaPlanner,
  past: MarketPast,
  fromMs: number,
  buys: boolean,
): PlannedOrder[] {
  const whole = raw(planner.size(past, VALUE))
  const lot = raw(past.market.survey.lot)
  const part = Math.max(1, Math.floor(whole / PARTS / lot)) * lot
  return Array.from({ length: PARTS }, (_, at) => ({
    past,
    timeMs: fromMs + at * 20 * MINUTE_MS + planner.random.between(0, 15 * 60) * 1000,
    side: buys ? 'B' : 'A',
    sz: size(part),
  }))
}

/** A position is held for a week, and none for three days. */
const CYCLE_MS = 10 * DAY_MS
/**
 * Time in a cycle, from the tape's beginning, at which a position is closed and the next one built.
 */
const TAKEN_DOWN_MS = 1 * DAY_MS
const BUILT_MS = 4 * DAY_MS
const PART = { everyMs: 20 * MINUTE_MS, within: 0.75 }

/** Builds positions worth millions in the largest markets and closes them, order by order. */
export function continueWhale(schedule: PersonaSchedule): void {
  for (const market of schedule.perps.slice(0, MARKETS))
    schedule.each(`part of ${market.row.coin}`, partOf(), (timeMs, nth) => {
      const sinceMs = nth * PART.everyMs
      const cycle = Math.floor(sinceMs / CYCLE_MS)
      const draws = schedule.draws(`cycle of ${market.row.coin}`, cycle)
      const lateMs = draws.between(0, 20) * 60 * MINUTE_MS
      const buys = draws.chance(0.5)
      const inCycleMs = sinceMs - cycle * CYCLE_MS - lateMs
      const holding = schedule.holding(market)
      const down = Math.floor((inCycleMs - TAKEN_DOWN_MS) / PART.everyMs)
      if (down >= 0 && down < PARTS && holding.sz !== ZERO)
        schedule.close(holding, timeMs, size(Math.ceil(raw(absolute(holding.sz)) / (PARTS - down))))
      const up = Math.floor((inCycleMs - BUILT_MS) / PART.everyMs)
      if (up < 0 || up >= PARTS) return
      const lot = raw(market.survey.lot)
      const part = Math.floor(raw(schedule.size(market, VALUE)) / PARTS / lot) * lot
      schedule.take(holding, buys ? 'B' : 'A', size(Math.max(lot, part)), timeMs)
    })
}

const partOf = () => ({ periodMs: PART.everyMs, within: PART.within })
