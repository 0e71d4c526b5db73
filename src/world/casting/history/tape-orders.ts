/** Orders of which the tape tells that they are open. */
import { px as price, raw, sz as size, ZERO } from '../../../decimal/quantity.ts'
import { parse } from '../../../decimal/scaled.ts'
import type { Agent } from '../agents/agent.ts'
import type { CastingContext } from '../casting-context.ts'
import type { MarketState } from '../market/market-state.ts'
import type { LiveOrder } from '../matching/order-manager.ts'
import type { AccountOfTape } from '../survey/account-survey.ts'
import type { InputOrder } from '../tape-input.ts'
import { parseNearest } from '../tape-values.ts'

/** Who has an account of the tape. */
export interface AccountOwner {
  agent: Agent
  account: AccountOfTape
}

/** Has it placed when it was; from the tape's beginning on it waits for its price. */
export function planOrder(
  context: CastingContext,
  owner: AccountOwner,
  told: InputOrder,
  tapeStartMs: number,
): void {
  const market = context.markets.find(({ row }) => row.coin === told.coin)
  if (!market || market.px === ZERO) return
  const timeMs = Math.max(told.placedMs, owner.agent.joinMs + 1)
  context.tasks.put(timeMs, () => {
    const order = place(context, owner, market, told, timeMs)
    const { triggerPx, limitPx, side, triggerCondition } = order
    const above = triggerPx === null ? side === 'A' : triggerCondition.includes('above')
    const run = (runMs: number) => reached(context, owner, market, order, runMs)
    const alarm = { px: raw(triggerPx ?? limitPx), above, run }
    const fromMs = Math.max(timeMs, tapeStartMs)
    context.tasks.put(fromMs, () => context.venue.arm(market, alarm, fromMs))
  })
}

function place(
  { orders }: CastingContext,
  { agent }: AccountOwner,
  market: MarketState,
  told: InputOrder,
  timeMs: number,
): LiveOrder {
  const { side, orderType, tif, reduceOnly, triggerCondition } = told
  const { pxDecimals, szDecimals } = market.row
  const pxOf = (text: string) => price(parseNearest(text, pxDecimals))
  return orders.place(agent, market, {
    timeMs,
    side,
    limitPx: pxOf(told.limitPx),
    origSz: size(parse(told.sz, szDecimals)),
    orderType,
    tif,
    reduceOnly,
    triggerPx: told.triggerPx === null ? null : pxOf(told.triggerPx),
    triggerCondition,
  })
}

/**
 * The price has come to an order. Trades of an account that the tape names are told, and none may
 * be added; any other gets the next that fits.
 */
function reached(
  context: CastingContext,
  { agent, account }: AccountOwner,
  market: MarketState,
  order: LiveOrder,
  timeMs: number,
): void {
  if (order.endMs !== null) return
  if (account.isNamed) return context.orders.end(order, timeMs, 'canceled')
  const { side, origSz: sz, reduceOnly, triggerPx } = order
  const holding = context.ledger.holding(agent, market)
  const limitPx = triggerPx === null ? order.limitPx : null
  context.venue.submit({ holding, side, sz, reduceOnly, limitPx, order }, timeMs)
}
