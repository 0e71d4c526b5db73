import { HOUR_MS } from '../../../clock/durations.ts'
import { raw, subtract, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Agent } from '../../casting/agents/agent.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { MarketState } from '../../casting/market/market-state.ts'
import type { LiveOrder } from '../../casting/matching/order-manager.ts'
import type { OrderRow } from '../../schema/schema.ts'
import type { Database } from '../../world/database.ts'

/** Most orders away from the price live for less, spread evenly over orders of magnitude. */
export const ORDER_LIFE_MS = 5_400_000
const ORDER_LIFE_LEAST_MS = 20_000
/** Share of those that rest until their owner thinks of them, and of these the part of an hour. */
const LASTING = 0.08
const THOUGHT_OF = 0.35
/** Orders nearer than this to the price wait for it; further ones are pulled before. */
const NEAR = 0.004
/** No order is dated further back than this. */
const BACKDATE_MAX_MS = 200_000

/** Takes in the orders that are open at an instant, and plans their ends anew. */
export function restoreOrders(
  db: Database,
  context: CastingContext,
  agents: ReadonlyMap<number, Agent>,
  atMs: number,
  random: RandomSource,
): void {
  for (const row of openRows(db, atMs)) {
    const market = context.markets[row.instrument] as MarketState
    const owner = agents.get(row.trader)
    if (!owner) throw new Error(`order ${row.oid} is of nobody`)
    const order = liveOrder(row, owner, market)
    context.orders.restore(order, market)
    if (row.positionTpsl) restoreTrigger(context, market, order)
    else restoreLimit(context, market, order, atMs, random.fork(String(row.oid)))
  }
  for (const oid of recentNumbers(db, atMs)) context.orders.useNumber(oid)
}

function openRows(db: Database, atMs: number): OrderRow[] {
  const flagged = db.query<OrderRow & { filled: OrderRow['filledSz'] }, [number]>(
    `select *, (select coalesce(sum(sz), 0) from fill where oid = orders.oid and timeMs <= ?1)
       as filled from orders where timeMs <= ?1 and (endMs is null or endMs > ?1) order by oid`,
  )
  return flagged.all(atMs).map(({ filled, ...row }) => {
    row.filledSz = filled
    row.reduceOnly = Boolean(row.reduceOnly)
    row.positionTpsl = Boolean(row.positionTpsl)
    return row
  })
}

function liveOrder(row: OrderRow, owner: Agent, market: MarketState): LiveOrder {
  const state = { owner, plannedMs: null, anchorPx: market.px, endMs: null, endStatus: null }
  return Object.assign(row, state)
}

/** A target or a stop of a position: its owner means to leave there. */
function restoreTrigger(context: CastingContext, market: MarketState, order: LiveOrder): void {
  const holding = market.holdings.get(order.trader)
  if (!holding?.position) return context.orders.end(order, context.nowMs + 1, 'canceled')
  holding.triggers.push(order)
  const px = raw(order.triggerPx ?? order.limitPx)
  if (order.orderType === 'Stop Market') holding.stopPx = px
  else holding.targetPx = px
  context.passiveOrders.track(market, order)
}

function restoreLimit(
  context: CastingContext,
  market: MarketState,
  order: LiveOrder,
  atMs: number,
  random: RandomSource,
): void {
  const endMs = endOf(order.timeMs, atMs, random)
  if (endMs !== null) context.orders.expire(order, endMs)
  const away = Math.abs(raw(order.limitPx) / raw(market.px) - 1)
  if (away > NEAR) return context.passiveOrders.track(market, order)
  const holding = context.ledger.holding(order.owner, market)
  const { side, limitPx, reduceOnly } = order
  const run = (dueMs: number) => {
    const sz = subtract(order.origSz, order.filledSz)
    if (order.endMs === null && sz > ZERO)
      context.venue.submit({ holding, side, sz, reduceOnly, limitPx, order }, dueMs)
  }
  context.venue.arm(market, { px: raw(limitPx), above: side === 'A', run }, atMs)
}

/** When an order ends, as would have been drawn at first; null where it rests for longer. */
function endOf(timeMs: number, atMs: number, random: RandomSource): number | null {
  const ageMs = Math.max(ORDER_LIFE_LEAST_MS, atMs - timeMs)
  const left = Math.max(0, Math.log(ORDER_LIFE_MS / ageMs))
  const whole = Math.log(ORDER_LIFE_MS / ORDER_LIFE_LEAST_MS)
  const lasts = LASTING / (LASTING + ((1 - LASTING) * left) / whole)
  if (!random.chance(lasts))
    return Math.max(atMs + 1, Math.ceil(timeMs + ageMs * Math.exp(left * random.unit())))
  return random.chance(THOUGHT_OF) ? Math.ceil(atMs + 1 + HOUR_MS * random.unit()) : null
}

/** Numbers that orders of the last minutes have, the crowd's included. */
function recentNumbers(db: Database, atMs: number): number[] {
  const placed = db.query<{ oid: number }, [number, number]>(
    'select oid from orders where timeMs > ? and timeMs <= ?',
  )
  const met = db.query<{ a: number; b: number }, [number, number]>(
    'select buyerOid as a, sellerOid as b from trade where timeMs > ? and timeMs <= ?',
  )
  const sinceMs = atMs - BACKDATE_MAX_MS
  return [
    ...placed.all(sinceMs, atMs).map(({ oid }) => oid),
    ...met.all(sinceMs, atMs).flatMap(({ a, b }) => [a, b]),
  ]
}
