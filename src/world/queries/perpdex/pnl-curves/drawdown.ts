/** The maximum drawdown of an account of perpetuals (the service's documentation, action map). */
import type { TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { add, greater, raw, subtract, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import type { World } from '../../../world.ts'
import type { EquityPoint } from './account-history.ts'
import { hourlyPoints, pnlOf } from './pnl-curve.ts'

export interface DrawdownSpan {
  high: { timeMs: TapeMs; value: Usd }
  low: { timeMs: TapeMs; value: Usd }
  /** What was lost from the high to the low. */
  lost: Usd
  /** What there was to lose: the high, and what came in after it. */
  base: Usd
  /** What came in less what went out between the two. */
  netIn: Usd
}

/**
 * Of all instants at full hours and now, the two between which the largest part of the account was
 * lost, the first being a high of its PnL. Deposits and withdrawals are no gain and no loss:
 * lost = high + netIn - low. Without a loss both are now; null for a trader without any activity.
 */
export function drawdownOf(
  world: World,
  moment: Moment,
  trader: number,
  days: number,
): DrawdownSpan | null {
  const points = hourlyPoints(world, moment, trader, days)
  const last = points.at(-1)
  if (!last) return null
  let [high, highPnl] = [points[0] as EquityPoint, Number.NEGATIVE_INFINITY]
  let [from, to, deepest] = [last, last, 0]
  for (const point of points) {
    const pnl = raw(pnlOf(point, 'perp'))
    if (pnl >= highPnl) [high, highPnl] = [point, pnl]
    const lost = highPnl - pnl
    if (lost <= deepest * raw(perpEquity(high))) continue
    const ratio = lost / raw(drawdownBase(high, point))
    if (ratio > deepest) [from, to, deepest] = [high, point, ratio]
  }
  return drawdownSpan(from, to)
}

function drawdownSpan(high: EquityPoint, low: EquityPoint): DrawdownSpan {
  const netIn = subtract(low.perpIn, high.perpIn)
  const [from, to] = [perpEquity(high), perpEquity(low)]
  return {
    high: { timeMs: high.timeMs, value: from },
    low: { timeMs: low.timeMs, value: to },
    lost: subtract(add(from, netIn), to),
    base: drawdownBase(high, low),
    netIn,
  }
}

/** What there was at the high, and what came in after it; never nothing. */
const drawdownBase = (high: EquityPoint, low: EquityPoint) =>
  greater(add(perpEquity(high), greater(subtract(low.perpIn, high.perpIn), ZERO)), usd(1))

const perpEquity = ({ main, builder }: EquityPoint) => add(main, builder)
