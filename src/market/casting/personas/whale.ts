import { MINUTE_MS } from '../../../clock/instant.ts'
import { raw, sz as size } from '../../../decimal/quantity.ts'
import type { MarketPast } from '../history/past.ts'
import type { PersonaPlanner, PlannedOrder } from './persona-planner.ts'

const USD = 60_000_000
/** Endpoints call a position worth more than a million a whale's. */
const VALUE = { ofHour: 0.35, leastUsd: 2_500_000, mostUsd: 14_000_000 }
const MARKETS = 3
const PARTS = 8
/** Parameters that its continuation after the tape uses. */
export const WHALE = { markets: MARKETS, parts: PARTS, value: VALUE }
/** Days before the tape on which positions are built and closed. */
const SPANS: readonly (readonly [fromDay: number, toDay: number | null])[] = [
  [27, 20],
  [17, 10],
  [6, null],
]

/** Plans large positions in the three most traded markets, built and closed order by order. */
export function planWhale(desk: PersonaPlanner): void {
  const { dayMs } = desk
  const whale = desk.trader('whale', 'whale', USD, 5)
  for (const past of desk.perps.slice(0, MARKETS))
    for (const [fromDay, toDay] of SPANS) {
      const buys = desk.random.chance(0.5)
      const openMs = desk.startMs - fromDay * dayMs + desk.random.between(0, 20) * (dayMs / 24)
      whale.plan(parts(desk, past, openMs, buys))
      if (toDay === null) continue
      const closeMs = desk.startMs - toDay * dayMs + desk.random.between(0, 20) * (dayMs / 24)
      whale.plan(parts(desk, past, closeMs, !buys))
    }
}

/** Orders that build or close a position, some minutes apart. */
function parts(
  desk: PersonaPlanner,
  past: MarketPast,
  fromMs: number,
  buys: boolean,
): PlannedOrder[] {
  const whole = raw(desk.size(past, VALUE))
  const lot = raw(past.market.survey.lot)
  const part = Math.max(1, Math.floor(whole / PARTS / lot)) * lot
  return Array.from({ length: PARTS }, (_, at) => ({
    past,
    timeMs: fromMs + at * 20 * MINUTE_MS + desk.random.between(0, 15 * 60) * 1000,
    side: buys ? 'B' : 'A',
    sz: size(part),
  }))
}
