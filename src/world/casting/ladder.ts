import { absolute, raw, ZERO } from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import { pxText } from '../schema.ts'
import { clientId, spread } from './chance.ts'
import { type Holding, type Market, openGuard } from './market.ts'
import type { OrderRoom, Resting } from './order-room.ts'
import type { People, Trader } from './people.ts'

/** Orders away from the price pull back before it reaches them; so near may it come. */
const NEAR = 0.0015
/** Rungs that an instrument has at most. */
const MOST = 120

/**
 * Orders that wait away from the price and are never filled: ladders, and triggers on positions.
 */
export class Ladders {
  constructor(
    private readonly orders: OrderRoom,
    private readonly people: People,
    private readonly dice: Dice,
  ) {}

  /** Somebody places a limit order away from the price. */
  lean(market: Market, timeMs: number, longestMs: number): void {
    const { dice } = this
    if (market.rungs.length >= MOST || market.px === ZERO) return
    const role = dice.pick(['maker', 'whale', 'whale', 'swing', 'quiet', 'builderUser'] as const)
    const trader = this.joined(role, timeMs)
    if (!trader) return
    const side = dice.chance(0.5) ? 'B' : 'A'
    const away = spread(dice, 0.0022, 0.15) * (side === 'B' ? -1 : 1)
    const limitPx = market.onTick(raw(market.px) * (1 + away))
    const held = market.holdings.get(trader.id)
    const reduces = held !== undefined && held.sz !== ZERO && held.sz < ZERO === (side === 'B')
    const usd = market.survey.tradeUsd * spread(dice, 0.5, role === 'whale' ? 200 : 25)
    const order = this.orders.place(trader, market, {
      timeMs,
      side,
      limitPx,
      origSz: market.size(usd),
      tif: role === 'maker' ? 'Alo' : 'Gtc',
      reduceOnly: market.perp && reduces && dice.chance(0.5),
      cloid: dice.chance(0.3) ? clientId(dice) : null,
    })
    if (!dice.chance(0.08)) {
      const lifeMs = Math.floor(spread(dice, 20_000, longestMs))
      this.orders.expire(order, timeMs + lifeMs)
    }
    this.hang(market, order)
  }

  /** Hangs a take-profit and a stop on a position that was just opened. */
  protect(held: Holding, timeMs: number): void {
    const { dice } = this
    const { market, purse } = held
    const { trader } = purse
    const careful = ['swing', 'whale', 'builderUser'].includes(trader.role)
    if (!careful || purse.doomed || held.triggers.length > 0 || !dice.chance(0.35)) return
    if (market.rungs.length >= MOST) return
    const long = held.sz > ZERO
    for (const [orderType, gains] of [
      ['Take Profit Market', true],
      ['Stop Market', false],
    ] as const) {
      const up = gains === long
      const away = spread(dice, 0.01, 0.12) * (up ? 1 : -1)
      const triggerPx = market.onTick(raw(market.px) * (1 + away))
      const order = this.orders.place(trader, market, {
        timeMs,
        side: long ? 'A' : 'B',
        origSz: absolute(held.sz),
        limitPx: market.onTick(raw(triggerPx) * (long ? 0.92 : 1.08)),
        orderType,
        tif: null,
        reduceOnly: true,
        triggerPx,
        positionTpsl: true,
        triggerCondition: `Price ${up ? 'above' : 'below'} ${pxText(market.row, triggerPx)}`,
      })
      held.triggers.push(order)
      this.hang(market, order)
    }
  }

  /** Takes the triggers off a position that is closed. */
  release(held: Holding, timeMs: number): void {
    for (const order of held.triggers) this.orders.end(order, timeMs, 'canceled')
    held.triggers = []
  }

  /** Pulls what the price has come near to. */
  watch(market: Market, timeMs: number): void {
    const now = raw(market.px)
    if (now > market.guard.low && now < market.guard.high) return
    market.rungs = market.rungs.filter((order) => {
      if (order.endMs !== null) return false
      const due = order.triggerPx ?? order.limitPx
      const below = due < order.anchorPx
      const near = below ? now <= raw(due) * (1 + NEAR) : now >= raw(due) * (1 - NEAR)
      if (near) this.orders.end(order, timeMs, 'canceled')
      return !near
    })
    market.guard = openGuard()
    for (const order of market.rungs) this.guard(market, order)
  }

  private hang(market: Market, order: Resting): void {
    if (market.rungs.length >= MOST / 2) market.rungs = market.rungs.filter((o) => o.endMs === null)
    market.rungs.push(order)
    this.guard(market, order)
  }

  private guard(market: Market, order: Resting): void {
    const due = order.triggerPx ?? order.limitPx
    const { guard } = market
    if (due < order.anchorPx) guard.low = Math.max(guard.low, raw(due) * (1 + NEAR))
    else guard.high = Math.min(guard.high, raw(due) * (1 - NEAR))
  }

  private joined(role: Trader['role'], timeMs: number): Trader | undefined {
    const trader = this.dice.pick(this.people.of(role))
    return trader.joinMs < timeMs ? trader : undefined
  }
}
