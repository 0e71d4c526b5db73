import { absolute, raw, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { pxText } from '../../schema/schema.ts'
import { type Holding, type MarketState, openGuard } from '../market/market-state.ts'
import type { LiveOrder, NewOrder, OrderManager } from '../matching/order-manager.ts'
import { logUniform, randomClientId } from '../random-values.ts'
import type { Agent } from './agent.ts'
import type { AgentPool } from './agents.ts'

/** Orders away from the price are pulled before it reaches them; it may come this near. */
const PULL_DISTANCE = 0.0015
/** Passive orders that an instrument has at most. */
const ORDERS_MAX = 120

/**
 * Orders that rest away from the price and are never filled: limits, and triggers of positions.
 */
export class PassiveOrders {
  constructor(
    private readonly orders: OrderManager,
    private readonly agents: AgentPool,
    private readonly random: RandomSource,
  ) {}

  /** An agent places a limit order away from the price. */
  placeAway(market: MarketState, timeMs: number, lifeMaxMs: number): void {
    const { random } = this
    if (market.passiveOrders.length >= ORDERS_MAX || market.px === ZERO) return
    const role = random.pick(['maker', 'whale', 'whale', 'swing', 'quiet', 'builderUser'] as const)
    const agent = this.activeAgent(role, timeMs)
    if (!agent) return
    const side = random.chance(0.5) ? 'B' : 'A'
    const away = logUniform(random, 0.0022, 0.15) * (side === 'B' ? -1 : 1)
    const limitPx = market.onTick(raw(market.px) * (1 + away))
    const holding = market.holdings.get(agent.id)
    const reduces =
      holding !== undefined && holding.sz !== ZERO && holding.sz < ZERO === (side === 'B')
    if (market.touch.crosses(side, limitPx)) return
    const usd = market.survey.tradeUsd * logUniform(random, 0.5, role === 'whale' ? 200 : 25)
    const order = this.orders.place(agent, market, {
      timeMs,
      side,
      limitPx,
      origSz: market.sizeFor(usd),
      tif: role === 'maker' ? 'Alo' : 'Gtc',
      reduceOnly: market.isPerp && reduces && random.chance(0.5),
      cloid: random.chance(0.3) ? randomClientId(random) : null,
    })
    if (!random.chance(0.08)) {
      const lifeMs = Math.floor(logUniform(random, 20_000, lifeMaxMs))
      this.orders.expire(order, timeMs + lifeMs)
    }
    this.track(market, order)
  }

  /** Places an order that is pulled when the price comes near it; none that would trade at once. */
  place(owner: Agent, market: MarketState, order: NewOrder): void {
    if (market.touch.crosses(order.side, order.limitPx)) return
    this.track(market, this.orders.place(owner, market, order))
  }

  /** Places a take-profit and a stop for a position that was just opened. */
  placeTriggers(holding: Holding, timeMs: number): void {
    const { random } = this
    const { market, account } = holding
    const { agent } = account
    const careful = ['swing', 'whale', 'builderUser'].includes(agent.role)
    if (
      !careful ||
      account.awaitsLiquidation ||
      holding.triggers.length > 0 ||
      !random.chance(0.35)
    )
      return
    if (market.passiveOrders.length >= ORDERS_MAX) return
    const long = holding.sz > ZERO
    for (const [orderType, planned, gains] of [
      ['Take Profit Market', holding.targetPx, true],
      ['Stop Market', holding.stopPx, false],
    ] as const) {
      if (planned === null) continue
      const up = gains === long
      const triggerPx = market.onTick(planned)
      const order = this.orders.place(agent, market, {
        timeMs,
        side: long ? 'A' : 'B',
        origSz: absolute(holding.sz),
        limitPx: market.onTick(raw(triggerPx) * (long ? 0.92 : 1.08)),
        orderType,
        tif: null,
        reduceOnly: true,
        triggerPx,
        positionTpsl: true,
        triggerCondition: `Price ${up ? 'above' : 'below'} ${pxText(market.row, triggerPx)}`,
      })
      holding.triggers.push(order)
      this.track(market, order)
    }
  }

  /** Cancels the triggers of a position that is closed. */
  cancelTriggers(holding: Holding, timeMs: number): void {
    for (const order of holding.triggers) this.orders.end(order, timeMs, 'canceled')
    holding.triggers = []
  }

  /** Cancels the orders that the price has come near to, but for those that wait for it. */
  pullNear(market: MarketState, timeMs: number, firesTriggers = false): void {
    const now = raw(market.px)
    if (now > market.pullBounds.low && now < market.pullBounds.high) return
    market.passiveOrders = market.passiveOrders.filter((order) => {
      if (order.endMs !== null) return false
      if (firesTriggers && order.positionTpsl) return true
      const due = order.triggerPx ?? order.limitPx
      const below = due < order.anchorPx
      const near = below
        ? now <= raw(due) * (1 + PULL_DISTANCE)
        : now >= raw(due) * (1 - PULL_DISTANCE)
      if (near) this.orders.end(order, timeMs, 'canceled')
      return !near
    })
    market.pullBounds = openGuard()
    for (const order of market.passiveOrders)
      if (!firesTriggers || !order.positionTpsl) this.tightenBounds(market, order)
  }

  /** Knows of an order, which is pulled when the price comes near it. */
  track(market: MarketState, order: LiveOrder): void {
    if (market.passiveOrders.length >= ORDERS_MAX / 2)
      market.passiveOrders = market.passiveOrders.filter((open) => open.endMs === null)
    market.passiveOrders.push(order)
    this.tightenBounds(market, order)
  }

  private tightenBounds(market: MarketState, order: LiveOrder): void {
    const due = order.triggerPx ?? order.limitPx
    const { pullBounds } = market
    if (due < order.anchorPx)
      pullBounds.low = Math.max(pullBounds.low, raw(due) * (1 + PULL_DISTANCE))
    else pullBounds.high = Math.min(pullBounds.high, raw(due) * (1 - PULL_DISTANCE))
  }

  private activeAgent(role: Agent['role'], timeMs: number): Agent | undefined {
    const agent = this.random.pick(this.agents.of(role))
    return agent.joinMs < timeMs ? agent : undefined
  }
}
