import { MINUTE_MS } from '../../../clock/durations.ts'
import { raw, sz as size } from '../../../decimal/quantity.ts'
import type { MarketPast } from '../history/past.ts'
import type { PersonaDesk } from './persona-desk.ts'
import type { PlannedOrder } from './persona-trader.ts'

const USD = 60_000_000
/** A position that endpoints call a whale's is worth more than a million. */
const VALUE = { ofHour: 0.35, leastUsd: 2_500_000, mostUsd: 14_000_000 }
const MARKETS = 3
const PARTS = 8
/** What it goes on with after the tape. */
export const WHALE = { markets: MARKETS, parts: PARTS, value: VALUE }
/** Days before the tape on which positions are built, and taken down again. */
const SPANS: readonly (readonly [fromDay: number, toDay: number | null])[] = [
  [27, 20],
  [17, 10],
  [6, null],
]

/** Large positions in the three most traded markets, built and taken down order by order. */
export function planWhale(desk: PersonaDesk): void {
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

/** The orders that build a position or take it down, some minutes apart. */
function parts(desk: PersonaDesk, past: MarketPast, fromMs: number, buys: boolean): PlannedOrder[] {
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
