import { HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import { negate, raw } from '../../decimal/quantity.ts'
import type { MarketPast } from '../casting/history/past.ts'
import { openingMoney } from './over-leveraged.ts'
import type { PersonaPlanner } from './persona-planner.ts'

/** Positions above 100,000 dollars are liquidated in parts. */
const VALUE = { ofHour: 0.005, leastUsd: 3_000, mostUsd: 80_000 }
const NIGHT = { fromHours: 11.5, toHours: 8.5 }
/** Distance of the liquidation price before the price's extreme. */
const BEFORE = 0.0006
const SEARCH_MS = 20 * 24 * HOUR_MS

/** A position and the price that liquidates it. */
interface Ending {
  past: MarketPast
  openMs: number
  long: boolean
  liquidationPx: number
  /** Time of the extreme price. */
  farthestMs: number
  /** Initial distance of the price, as a fraction. */
  distance: number
}

/** Plans a position whose liquidation price was reached last night, and nothing after it. */
export function planLiquidated(planner: PersonaPlanner): void {
  const { startMs, context } = planner
  const endings = planner.perps
    .slice(0, 4)
    .flatMap((past) => [true, false].map((long) => endingOf(past, startMs, long)))
  const ending =
    endings.find((one) => one.distance >= leastDistance(one.past)) ??
    endings.toSorted((a, b) => b.distance - a.distance)[0]
  if (!ending) return
  const { past, openMs, long, liquidationPx } = ending
  const { market } = past
  const sz = planner.size(past, VALUE)
  const money = openingMoney(market, { sz, long, px: raw(past.pxAt(openMs)), liquidationPx })
  const funding = planner.fundingPaid(past, long ? sz : negate(sz), openMs, ending.farthestMs)
  const trader = planner.trader('liquidatedLastNight', 'swing', 0, market.row.maxLeverage)
  const awaits = (timeMs: number, isAwaited: boolean) => {
    market.px = past.pxAt(timeMs)
    const holding = trader.holding(past)
    holding.account.awaitsLiquidation = isAwaited
    return holding
  }
  context.tasks.put(openMs, (_, timeMs) => {
    trader.deposit(money + funding, timeMs)
    awaits(timeMs, true)
    trader.trade({ past, timeMs, side: long ? 'B' : 'A', sz })
  })
  // Its margin was never raised; from now on the venue's margin check applies.
  context.tasks.put(startMs - NIGHT.fromHours * HOUR_MS, (_, timeMs) =>
    context.margins.watchHolding(awaits(timeMs, false), timeMs),
  )
}

/** Minimum distance that the initial margin at the highest leverage implies. */
const leastDistance = ({ market }: MarketPast) => 0.55 / market.row.maxLeverage

/** The latest opening whose liquidation price was first reached in that night. */
function endingOf(past: MarketPast, startMs: number, long: boolean): Ending {
  const fromMs = startMs - NIGHT.fromHours * HOUR_MS
  const toMs = startMs - NIGHT.toHours * HOUR_MS
  let [farthest, farthestMs] = [long ? Number.POSITIVE_INFINITY : 0, fromMs]
  for (let atMs = fromMs; atMs < toMs; atMs += MINUTE_MS) {
    const { low, high } = past.barAt(atMs)
    if (long ? low < farthest : high > farthest) [farthest, farthestMs] = [long ? low : high, atMs]
  }
  const liquidationPx = farthest * (long ? 1 + BEFORE : 1 - BEFORE)
  const openMs = fromMs - HOUR_MS
  const best: Ending = { past, openMs, long, liquidationPx, farthestMs, distance: -1 }
  for (let atMs = fromMs - MINUTE_MS; atMs > fromMs - SEARCH_MS; atMs -= MINUTE_MS) {
    const { low, high } = past.barAt(atMs)
    if (long ? low <= liquidationPx : high >= liquidationPx) break
    const distance = (long ? 1 : -1) * (raw(past.pxAt(atMs)) / liquidationPx - 1)
    if (distance > best.distance) Object.assign(best, { openMs: atMs, distance })
    if (distance >= leastDistance(past)) break
  }
  return best
}
