import {
  absolute,
  add,
  greater,
  lesser,
  type Px,
  raw,
  type Sz,
  subtract,
  sum,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { NO_HASH } from '../../schema/schema.ts'
import { randomClientId, randomTradeId } from '../../synth/distributions.ts'
import type { Agent } from '../agents/agents.ts'
import type { CounterpartyPicker } from '../agents/passive-orders.ts'
import type { TwapPrograms } from '../agents/twap-programs.ts'
import type { AccountFunds, Ledger } from '../ledger/ledger.ts'
import type { Settlement } from '../ledger/settlement.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { Quotes, Wish } from '../venue.ts'
import type { LiveOrder, OrderManager, TakerOrder, TradePrint } from './order-manager.ts'

/** A resting order to be filled by the crowd. */
export interface MatchedOrder {
  holding: Holding
  timeMs: number
  side: 'B' | 'A'
  px: Px
  sz: Sz
  reduceOnly: boolean
  /** The order itself, where it has been placed already. */
  order?: LiveOrder | undefined
}

type PlacedOrder = Pick<MatchedOrder, 'side' | 'px' | 'timeMs'> & Pick<TakerOrder, 'market'>

/** A resting order and its owner. */
interface Met {
  holding: Holding
  order: LiveOrder
}

/** Chooses the resting orders that takers fill. */
export class RestingOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly funds: AccountFunds,
    private readonly orders: OrderManager,
    private readonly counterparties: CounterpartyPicker,
    private readonly wishes: OrderIntents,
    private readonly quotes: StandingQuotes,
    private readonly random: RandomSource,
  ) {}

  /** The order that the crowd fills: an existing one, or one placed a moment ago. */
  metByCrowd({ holding, timeMs, side, px, sz, reduceOnly, order }: MatchedOrder): LiveOrder {
    this.funds.ensure(holding, side, sz, timeMs)
    if (order) return order
    const { agent } = holding.account
    const isMaker = agent.role === 'maker'
    return this.orders.place(agent, holding.market, {
      timeMs: this.placedMs({ side, px, timeMs, market: holding.market }, agent),
      side,
      limitPx: px,
      origSz: sz,
      reduceOnly,
      tif: isMaker ? 'Alo' : 'Gtc',
      cloid: isMaker && this.random.chance(0.4) ? randomClientId(this.random) : null,
    })
  }

  /**
   * Finds the maker of a trade: a waiting intent, a quote, the rest of an order, or the order of a
   * drawn trader; null for the crowd.
   */
  meet(request: TakerOrder, print: TradePrint, side: 'B' | 'A'): Met | null {
    const { market, taker } = request
    if (print.maker) return this.metOrderOf(print.maker, request, print, side)
    // The crowd sells no more to traders than its possible short position.
    if (taker === null && side === 'A' && !market.crowdBuys(print.sz)) return null
    return (
      this.metWish(request, print, side) ??
      this.metQuote(request, print, side) ??
      this.metRest(request, print, side) ??
      this.metDrawn(request, print, side)
    )
  }

  private metWish(request: TakerOrder, print: TradePrint, side: 'B' | 'A'): Met | undefined {
    const { market, taker, timeMs } = request
    const wished = this.wishes.toMeet(market, side, print, taker, timeMs)
    if (!wished) return undefined
    const { holding, order } = wished.wish
    this.funds.ensure(holding, side, print.sz, timeMs)
    this.wishes.give(wished, print.sz)
    return { holding, order: order ?? this.restingOrder(request, print, side, holding) }
  }

  private metQuote(request: TakerOrder, print: TradePrint, side: 'B' | 'A'): Met | undefined {
    const { market, taker, timeMs } = request
    const maker = this.quotes.meet(market, side, print.sz, taker, timeMs)
    return maker && this.metOrderOf(maker, request, print, side)
  }

  private metRest(request: TakerOrder, print: TradePrint, side: 'B' | 'A'): Met | undefined {
    const { market, taker, timeMs } = request
    const order = market.resting[side].get(print.px)
    if (!order || order.endMs !== null || order.owner === taker?.account.agent) return undefined
    if (subtract(order.origSz, order.filledSz) < print.sz || !this.random.chance(0.7))
      return undefined
    const holding = this.ledger.holding(order.owner, market)
    this.funds.ensure(holding, side, print.sz, timeMs)
    return { holding, order }
  }

  private metDrawn(request: TakerOrder, print: TradePrint, side: 'B' | 'A'): Met | null {
    const { market, taker, timeMs } = request
    const { counterparties } = this
    const drawn = counterparties.maker(market, side, print.sz, taker, timeMs)
    const isNeeded = taker !== null && side === 'B' && !market.crowdBuys(print.sz)
    const maker = drawn ?? (isNeeded && counterparties.anyMaker(market, side, print.sz, taker))
    return maker ? this.metOrderOf(maker, request, print, side) : null
  }

  private metOrderOf(maker: Holding, request: TakerOrder, print: TradePrint, side: 'B' | 'A'): Met {
    this.funds.ensure(maker, side, print.sz, request.timeMs)
    return { holding: maker, order: this.restingOrder(request, print, side, maker) }
  }

  private restingOrder(
    request: TakerOrder,
    print: TradePrint,
    side: 'B' | 'A',
    holding: Holding,
  ): LiveOrder {
    const { random } = this
    const { market, timeMs } = request
    const { agent } = holding.account
    // A persona's trades are planned to the lot.
    const isWhole = random.chance(0.55) || market.touch.crosses(side, print.px)
    const surplus: Sz =
      agent.persona || isWhole ? ZERO : market.sizeFor(market.value(print.sz) * 3 * random.unit())
    const order = this.orders.place(agent, market, {
      timeMs: this.placedMs({ side, px: print.px, timeMs, market }, agent),
      side,
      limitPx: print.px,
      origSz: add(print.sz, surplus),
      tif: agent.role === 'maker' ? 'Alo' : 'Gtc',
      cloid: agent.role === 'maker' && random.chance(0.4) ? randomClientId(random) : null,
    })
    if (surplus === ZERO) return order
    const lifeMs = Math.floor(1500 * 80 ** random.unit())
    this.orders.expire(order, timeMs + lifeMs)
    market.resting[side].set(print.px, order)
    if (market.resting[side].size > 200) pruneFilled(market.resting[side])
    return order
  }

  /** An earlier placement time at which the book had room for the order. */
  private placedMs({ market, side, px, timeMs }: PlacedOrder, { joinMs }: Agent): number {
    const placedMs = timeMs - Math.floor(200 * 450 ** this.random.unit())
    const freeMs = market.touch.freeFromMs(side, px, timeMs)
    return Math.max(placedMs, freeMs, joinMs, this.orders.earliestMs)
  }
}

function pruneFilled(orders: Map<Px, LiveOrder>): void {
  for (const [px, order] of orders) if (order.endMs !== null) orders.delete(px)
}

/** A quote is withdrawn after so long without a trade. */
const LIFE_MS = 15_000

interface StandingQuote {
  quotes: Quotes
  /** Its maker's change count when quoted: a quote is for the position at that time. */
  changes: number
  untilMs: number
}

/** Quotes at the best price, until a trade of the tape meets one of their sides. */
export class StandingQuotes {
  private readonly byMarket = new Map<MarketState, StandingQuote[]>()

  /** Adds a maker's quote, replacing its earlier one. */
  add(quotes: Quotes, timeMs: number): void {
    const { holding } = quotes
    const others = this.standing(holding.market, timeMs).filter(
      (one) => one.quotes.holding !== holding,
    )
    others.push({ quotes, changes: holding.changes, untilMs: timeMs + LIFE_MS })
    this.byMarket.set(holding.market, others)
  }

  /** Takes the quote that a trade meets on a side; each is met once. */
  meet(
    market: MarketState,
    side: 'B' | 'A',
    sz: Sz,
    taker: Holding | null,
    timeMs: number,
  ): Holding | undefined {
    const standing = this.standing(market, timeMs)
    const met = standing.find(({ quotes }) => {
      const offered = side === 'B' ? quotes.bid.sz : quotes.ask.sz
      return quotes.holding !== taker && offered > ZERO && offered >= sz
    })
    if (met)
      this.byMarket.set(
        market,
        standing.filter((one) => one !== met),
      )
    return met?.quotes.holding
  }

  private standing(market: MarketState, timeMs: number): StandingQuote[] {
    const all = this.byMarket.get(market)
    if (!all) return []
    return all.filter(
      ({ quotes, changes, untilMs }) => quotes.holding.changes === changes && timeMs <= untilMs,
    )
  }
}

/** An order intent without a trade for so long is dropped. */
const PATIENCE_MS = 600_000

/** Smallest size of a trade relative to an intent: few traders take part in everything. */
const PARTS_MAX = 40

/** An order intent that waits for a trade of the tape. */
export interface OrderIntent {
  wish: Wish
  left: Sz
  untilMs: number
}

/** Order intents of traders, until a trade of the tape fits one. */
export class OrderIntents {
  private readonly byMarket = new Map<MarketState, OrderIntent[]>()

  add(wish: Wish, timeMs: number): void {
    const { market } = wish.holding
    // Only the latest slice of a TWAP waits.
    const others = this.of(market).filter(
      (one) => !wish.program || one.wish.program !== wish.program,
    )
    const pending = { wish, left: wish.sz, untilMs: timeMs + PATIENCE_MS }
    this.byMarket.set(market, [...others, pending])
  }

  /** The taker intent that an order's first trades fit, and as many of these as do. */
  toTake(
    market: MarketState,
    side: 'B' | 'A',
    prints: readonly TradePrint[],
    timeMs: number,
  ): { pending: OrderIntent; prints: readonly TradePrint[] } | undefined {
    const [first] = prints
    const pending = this.find(market, timeMs, ({ wish, left }) => {
      return wish.limitPx === null && wish.side === side && first && isPart(first.sz, wish, left)
    })
    if (!pending) return undefined
    let count = 0
    for (let { left } = pending; count < prints.length; count++) {
      const { sz } = prints[count] as TradePrint
      if (sz > left) break
      left = subtract(left, sz)
    }
    return { pending, prints: prints.slice(0, count) }
  }

  /** The waiting order that a taker's trade fills; never the taker's own. */
  toMeet(
    market: MarketState,
    side: 'B' | 'A',
    print: { px: Px; sz: Sz },
    taker: Holding | null,
    timeMs: number,
  ): OrderIntent | undefined {
    return this.find(market, timeMs, ({ wish, left }) => {
      const { limitPx } = wish
      if (limitPx === null || wish.side !== side || wish.holding === taker) return false
      if (!isPart(print.sz, wish, left)) return false
      return side === 'B' ? print.px <= limitPx : print.px >= limitPx
    })
  }

  /** Reduces an intent by a trade. */
  give(pending: OrderIntent, sz: Sz): void {
    const { market } = pending.wish.holding
    pending.left = subtract(pending.left, sz)
    // A slice is one order, whatever is left of it.
    if (pending.left > ZERO && !pending.wish.program) return
    this.byMarket.set(
      market,
      this.of(market).filter((one) => one !== pending),
    )
  }

  private of(market: MarketState): OrderIntent[] {
    return this.byMarket.get(market) ?? []
  }

  private find(
    market: MarketState,
    timeMs: number,
    fits: (pending: OrderIntent) => boolean | undefined,
  ) {
    const all = this.of(market)
    if (all.length === 0) return undefined
    const waiting = all.filter((pending) => !isOver(pending, timeMs))
    if (waiting.length < all.length) this.byMarket.set(market, waiting)
    return waiting.find(fits)
  }
}

/** Whether a trade is a reasonable part of an intent. */
function isPart(sz: Sz, wish: Wish, left: Sz): boolean {
  return sz <= left && raw(sz) >= Math.min(raw(wish.sz) / PARTS_MAX, raw(left) / 4)
}

function isOver({ wish, left, untilMs }: OrderIntent, timeMs: number): boolean {
  const { holding, reduceOnly, side, program, order } = wish
  if (timeMs > untilMs || (order && order.endMs !== null)) return true
  if (program && program.endMs !== null) return true
  if (!reduceOnly) return false
  return holding.sz > ZERO !== (side === 'A') || absolute(holding.sz) < left
}

/** Largest slippage of a market order. */
const SLIPPAGE_MAX = 0.05

/** Traded size of an order, and the owner's realised PnL. */
export interface Executed {
  sz: Sz
  notional: Usd
  closedPnl: Usd
  oid: number
}

/** Executes taker orders: places the orders of both sides, picks makers, settles the trades. */
export class MatchingEngine {
  constructor(
    private readonly orders: OrderManager,
    private readonly settlement: Settlement,
    private readonly funds: AccountFunds,
    private readonly resting: RestingOrders,
    private readonly twaps: TwapPrograms,
    private readonly random: RandomSource,
  ) {}

  /** Executes a taker order; returns the traded size and the taker's realised PnL. */
  execute(request: TakerOrder): Executed {
    const { market, timeMs, side, taker, program } = request
    const sz = sum(request.prints.map((print) => print.sz))
    const hash = program ? NO_HASH : (request.prints[0]?.hash ?? null)
    const takerSide = taker && this.takerSide(request, taker, sz, hash)
    const oid = takerSide?.order.oid ?? this.crowdOid(request)
    const makerSide = side === 'B' ? 'A' : 'B'
    let [notional, closedPnl]: [Usd, Usd] = [ZERO, ZERO]
    for (const print of request.prints) {
      const maker = request.fromCrowd ? null : this.resting.meet(request, print, makerSide)
      const settled = this.settlement.settle({
        market,
        timeMs,
        side,
        px: print.px,
        sz: print.sz,
        buyer: side === 'B' ? takerSide : maker,
        seller: side === 'B' ? maker : takerSide,
        takerOid: oid,
        tid: print.tid ?? randomTradeId(this.random),
        hash: print.hash ?? hash,
        liquidation: request.liquidation ?? null,
      })
      notional = add(notional, settled.notional)
      closedPnl = add(closedPnl, settled.closedPnl[side === 'B' ? 'buyer' : 'seller'])
    }
    if (program) this.twaps.recordSlice(program, sz, notional, timeMs)
    return { sz, notional, closedPnl, oid }
  }

  /** Fills a resting order against the crowd. */
  meetCrowd(met: MatchedOrder): void {
    const { holding, timeMs, side, px, sz } = met
    const party = { holding, order: this.resting.metByCrowd(met) }
    this.settlement.settle({
      takerOid: this.orders.crowdOid(timeMs),
      market: holding.market,
      timeMs,
      side: side === 'B' ? 'A' : 'B',
      px,
      sz,
      buyer: side === 'B' ? party : null,
      seller: side === 'B' ? null : party,
      tid: randomTradeId(this.random),
      hash: null,
      liquidation: null,
    })
  }

  private crowdOid({ timeMs, liquidation, oid }: TakerOrder): number {
    if (oid !== undefined) return oid
    return liquidation === undefined ? this.orders.crowdOid(timeMs) : this.orders.forcedOid(timeMs)
  }

  private takerSide(request: TakerOrder, holding: Holding, sz: Sz, hash: string | null) {
    this.funds.ensure(holding, request.side, sz, request.timeMs)
    return { holding, order: request.order ?? this.takerOrder(request, holding, sz, hash) }
  }

  private takerOrder(request: TakerOrder, taker: Holding, sz: Sz, hash: string | null): LiveOrder {
    const { market, timeMs, side, prints, program, liquidation } = request
    const prices = prints.map(({ px }) => px)
    const last = prices.reduce(side === 'B' ? greater : lesser)
    const away = market.onTick(raw(last) * (side === 'B' ? 1 + SLIPPAGE_MAX : 1 - SLIPPAGE_MAX))
    const isLiquidation = liquidation !== undefined
    const limit = !isLiquidation && !program && this.random.chance(0.35)
    const { agent } = taker.account
    const closes = request.reduceOnly === true && market.isPerp
    return this.orders.place(agent, market, {
      timeMs,
      side,
      origSz: sz,
      hash,
      limitPx: limit ? last : away,
      orderType: limit ? 'Limit' : 'Market',
      tif: isLiquidation
        ? 'LiquidationMarket'
        : limit
          ? this.random.pick(['Gtc', 'Ioc'])
          : 'FrontendMarket',
      reduceOnly: isLiquidation || closes || program?.reduceOnly === true,
      twap: program?.id ?? null,
      cloid:
        agent.role === 'scalper' && this.random.chance(0.4) ? randomClientId(this.random) : null,
    })
  }
}
