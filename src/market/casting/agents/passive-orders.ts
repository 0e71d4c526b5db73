import { absolute, raw, type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { pxText, type Role } from '../../schema/schema.ts'
import { logUniform, randomClientId } from '../../synth/distributions.ts'
import { crossMargin, type Ledger } from '../ledger/ledger.ts'
import type { PresentBook } from '../market/book-recorder.ts'
import { type Holding, type MarketState, openGuard } from '../market/market-state.ts'
import type { LiveOrder, NewOrder, OrderManager } from '../matching/order-manager.ts'
import type { Agent, AgentPool } from './agents.ts'

/** A book, or its changed levels. */
interface BookEvent {
  kind: 'book' | 'delta'
  timeMs: number
  bids: readonly { px: number }[]
  asks: readonly { px: number }[]
}

/** Passive orders are cancelled once the price comes this near. */
const PULL_DISTANCE = 0.0015
/** Share of orders without room that are placed again nearby. */
const MOVED = 0.8
/** Maximum of passive orders per instrument. */
const ORDERS_MAX = 200

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
    const wantedPx = market.onTick(raw(market.px) * (1 + away))
    const holding = market.holdings.get(agent.id)
    const reduces =
      holding !== undefined && holding.sz !== ZERO && holding.sz < ZERO === (side === 'B')
    const usd = market.survey.tradeUsd * logUniform(random, 0.5, role === 'whale' ? 200 : 25)
    const wanted = { limitPx: wantedPx, origSz: market.sizeFor(usd) }
    const place = market.room.placeOf(side, wanted, market.survey.lot)
    if (place === null || market.touch.crosses(side, place.limitPx)) return
    const order = this.orders.place(agent, market, {
      timeMs,
      side,
      ...place,
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

  /**
   * Places an order that is cancelled when the price comes near it; skips one that would trade at
   * once.
   */
  place(owner: Agent, market: MarketState, order: NewOrder): LiveOrder | null {
    const { side } = order
    const place = market.room.placeOf(side, order, market.survey.lot)
    if (place === null || market.touch.crosses(side, place.limitPx)) return null
    const placed = this.orders.place(owner, market, { ...order, ...place })
    this.track(market, placed)
    return placed
  }

  /**
   * Takes a book after an event. Orders that a changed level has no room for any more are moved; in
   * the first book, earlier orders find their levels.
   */
  onBook(market: MarketState, book: PresentBook, { kind, timeMs, bids, asks }: BookEvent): void {
    const { room } = market
    if (room.open(book)) this.enter(market, timeMs)
    for (const side of ['B', 'A'] as const) {
      const levels = side === 'B' ? bids : asks
      // A full book may have removed any level.
      if (kind === 'book') for (const px of room.seats(side)) this.keepAt(market, timeMs, side, px)
      else for (const { px } of levels) this.keepAt(market, timeMs, side, px)
    }
  }

  private keepAt(market: MarketState, timeMs: number, side: 'B' | 'A', px: number): void {
    for (const order of market.room.unseated(side, px)) this.move(market, timeMs, order)
  }

  /** Finds the places of earlier orders in the first book. */
  private enter(market: MarketState, timeMs: number): void {
    for (const order of [...market.passiveOrders]) {
      const { triggerPx, owner, endMs } = order
      if (triggerPx !== null || endMs !== null || market.room.seat(order)) continue
      // The orders of a persona stay: they are a part of what is said about it.
      const isKept = owner.persona !== null || !market.room.knows(order)
      if (!isKept) this.move(market, timeMs, order)
    }
  }

  /** Cancels an order without room; most owners place another one nearby. */
  private move(market: MarketState, timeMs: number, order: LiveOrder): void {
    if (order.endMs !== null) return
    const { owner, side, limitPx, origSz, tif, reduceOnly, plannedMs } = order
    this.orders.end(order, timeMs, 'canceled')
    if ((plannedMs ?? timeMs + 1) <= timeMs || !this.random.chance(MOVED)) return
    const cloid = order.cloid === null ? null : randomClientId(this.random)
    const same = { timeMs, side, limitPx, origSz, tif, reduceOnly, cloid }
    const moved = this.place(owner, market, same)
    if (moved && plannedMs !== null) this.orders.expire(moved, plannedMs)
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
    this.placeExit(holding, holding.targetPx, true, timeMs)
    this.placeExit(holding, holding.stopPx, false, timeMs)
  }

  /** Places a stop and a target at distances from the price, each where it is wanted. */
  placeExits(
    holding: Holding,
    { stop, target }: { stop: number | null; target: number | null },
    timeMs: number,
  ): void {
    const px = raw(holding.market.px)
    const up = holding.sz > ZERO ? 1 : -1
    if (target !== null) this.placeExit(holding, px * (1 + up * target), true, timeMs)
    if (stop !== null) this.placeExit(holding, px * (1 - up * stop), false, timeMs)
  }

  private placeExit(
    holding: Holding,
    planned: number | null,
    gains: boolean,
    timeMs: number,
  ): void {
    if (planned === null) return
    const { market, account, sz } = holding
    const long = sz > ZERO
    const up = gains === long
    const triggerPx = market.onTick(planned)
    const order = this.orders.place(account.agent, market, {
      timeMs,
      side: long ? 'A' : 'B',
      origSz: absolute(sz),
      limitPx: market.onTick(raw(triggerPx) * (long ? 0.92 : 1.08)),
      orderType: gains ? 'Take Profit Market' : 'Stop Market',
      tif: null,
      reduceOnly: true,
      triggerPx,
      positionTpsl: true,
      triggerCondition: `Price ${up ? 'above' : 'below'} ${pxText(market.row, triggerPx)}`,
    })
    holding.triggers.push(order)
    this.track(market, order)
  }

  /** Cancels the triggers of a closed position. */
  cancelTriggers(holding: Holding, timeMs: number): void {
    for (const order of holding.triggers) this.orders.end(order, timeMs, 'canceled')
    holding.triggers = []
  }

  /** Cancels the orders that the price has come near to, except triggers unless `firesTriggers`. */
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

  /** Tracks an order, which is cancelled when the price comes near it. */
  track(market: MarketState, order: LiveOrder): void {
    if (market.passiveOrders.length >= ORDERS_MAX / 2)
      market.passiveOrders = market.passiveOrders.filter((open) => open.endMs === null)
    market.passiveOrders.push(order)
    if (order.triggerPx === null) market.room.seat(order)
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

/**
 * Number of trades a minute, over all instruments, that get a drawn taker, and as many a drawn
 * maker: all others go to the crowd.
 */
const DRAWN_PER_MINUTE = 3
/** Few candidates are drawn, so that each one trades continuously. */
const DRAWN = 2
/**
 * Orders of at least `from` usual trades may be a whale's; from `always` on they are, if a whale
 * can pay.
 */
const LARGE = { from: 12, always: 150 }
/** Number of whales tried for such an order. */
const WHALES = 6
/** Limit of margin use for unplanned trades. */
const MARGIN_SHARE = 0.8

/** Draws traders for trades without an order intent; most of these go to the crowd. */
export class CounterpartyPicker {
  private readonly odds: number

  constructor(
    private readonly agents: AgentPool,
    private readonly ledger: Ledger,
    private readonly random: RandomSource,
    markets: readonly MarketState[],
  ) {
    const perMinute = ({ survey }: MarketState) => (60 * survey.usdPerSecond) / survey.meanTradeUsd
    const all = markets.reduce((sum, market) => sum + perMinute(market), 0)
    this.odds = all > 0 ? DRAWN_PER_MINUTE / all : 1
  }

  /** Draws the taker of a trade. */
  taker(market: MarketState, side: 'B' | 'A', sz: Sz, timeMs: number): Holding | undefined {
    const times = market.value(sz) / market.survey.tradeUsd
    if (times < LARGE.always && !this.random.chance(this.odds)) return undefined
    const drawn =
      times < LARGE.from
        ? this.richest('scalper', timeMs, DRAWN)
        : Array.from({ length: WHALES }, () => this.random.pick(this.agents.of('whale')))
    const joined = drawn.filter(({ joinMs }) => joinMs < timeMs)
    return this.suited(joined, market, side, sz, undefined)
  }

  /** Draws the maker of a trade. */
  maker(
    market: MarketState,
    side: 'B' | 'A',
    sz: Sz,
    taker: Holding | null,
    timeMs: number,
  ): Holding | undefined {
    if (!this.random.chance(this.odds)) return undefined
    const drawn = this.richest('maker', timeMs, DRAWN)
    return this.suited(drawn, market, side, sz, taker?.account.agent)
  }

  /** Draws a maker where the crowd cannot trade: always finds one. */
  anyMaker(market: MarketState, side: 'B' | 'A', sz: Sz, taker: Holding): Holding {
    const others = this.agents.of('maker').filter((agent) => agent !== taker.account.agent)
    const agent = others[0]
    if (!agent) throw new Error('a market needs two makers')
    return this.suited(others, market, side, sz, undefined) ?? this.ledger.holding(agent, market)
  }

  private richest(role: Role, timeMs: number, count: number): readonly Agent[] {
    return this.agents
      .of(role)
      .filter(({ joinMs }) => joinMs < timeMs)
      .sort((a, b) => b.wealthUsd - a.wealthUsd)
      .slice(0, count)
  }

  /** A trader whose position the trade reduces, else the first with enough margin. */
  private suited(
    drawn: readonly Agent[],
    market: MarketState,
    side: 'B' | 'A',
    sz: Sz,
    not: Agent | undefined,
  ): Holding | undefined {
    const holdings = drawn
      .filter((agent) => agent !== not)
      .map((agent) => this.ledger.holding(agent, market))
      .filter((holding) => this.room(holding, side, sz) >= 0)
    const reduced = holdings.find(({ sz: held }) => held !== ZERO && held > ZERO === (side === 'A'))
    return reduced ?? holdings[0]
  }

  /** Micro-dollars that a trader could trade beyond a size; negative where it cannot. */
  private room(holding: Holding, side: 'B' | 'A', sz: Sz): number {
    const { market, account, leverage } = holding
    const value = market.value(sz)
    const held = market.value(holding.sz) * (side === 'B' ? -1 : 1)
    if (!market.isPerp) return side === 'B' ? 0 : market.value(holding.sz) - value
    const main = account.dex === '' ? account : this.ledger.account(account.agent, '')
    const { equity, initial } = crossMargin(main)
    const free = MARGIN_SHARE * Math.max(0, equity - initial) * leverage
    return free + (held > 0 ? 2 * held : 0) - value
  }
}
