import { HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { raw } from '../../../decimal/quantity.ts'
import { keepDistance, OVER_LEVERAGED, startMoney } from '../../casting/personas/over-leveraged.ts'
import type { PersonaDay } from './persona-day.ts'

/** After a liquidation it is back within hours. */
const RETURN = { periodMs: 3 * HOUR_MS, within: 1 }
/** Distances are looked at so often besides. */
const LOOK = { periodMs: HOUR_MS, within: 0.05 }
/** How long an order takes to be filled. */
const FILLED_MS = MINUTE_MS

/** Keeps a position on as little margin as it can; opens another one when that is lost. */
export function goOnAsOverLeveraged(day: PersonaDay): void {
  const { context, agent } = day
  const [market] = day.perps.toSorted((a, b) => b.row.maxLeverage - a.row.maxLeverage)
  const held = context.markets
    .map(({ holdings }) => holdings.get(agent.id))
    .find((holding) => holding?.position)
  day.each('distance', LOOK, (timeMs) => {
    if (held?.position) keepDistance(context, held, timeMs)
  })
  if (!market) return
  day.each('return', RETURN, (timeMs, nth) => {
    const holding = day.holding(market)
    if (holding.position || held?.position) return
    const sz = day.size(market, OVER_LEVERAGED.value)
    const long = day.draws('side', nth).chance(0.5)
    const { ledger, tasks } = context
    const { account } = holding
    holding.leverage = market.row.maxLeverage
    holding.isolated = false
    ledger.depositUsd(account, startMoney(market, sz, long), Math.max(timeMs, account.lastMs))
    day.take(holding, long ? 'B' : 'A', sz, timeMs)
    tasks.put(timeMs + FILLED_MS, (_, dueMs) => {
      if (raw(holding.sz) !== 0) keepDistance(context, holding, dueMs)
    })
  })
}
