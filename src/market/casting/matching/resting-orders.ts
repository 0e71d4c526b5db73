import { add, type Px, type Sz, subtract, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Agent } from '../agents/agent.ts'
import type { CounterpartyPicker } from '../agents/counterparties.ts'
import type { AccountFunds } from '../ledger/account-funds.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Holding } from '../market/market-state.ts'
import { randomClientId } from '../random-values.ts'
import type { LiveOrder, OrderManager } from './order-manager.ts'
import type { PendingWishes } from './pending-wishes.ts'
import type { StandingQuotes } from './standing-quotes.ts'
import type { TakerOrder, TradePrint } from './taker-order.ts'

/** An order that the crowd meets. */
export interface MetOrder {
  holding: Holding
  timeMs: number
  side: 'B' | 'A'
  px: Px
  sz: Sz
  reduceOnly: boolean
  /** The order itself, where it has been placed already. */
  order?: LiveOrder | undefined
}

type PlacedOrder = Pick<MetOrder, 'side' | 'px' | 'timeMs'> & Pick<TakerOrder, 'market'>

/** Whose order a taker meets, and which. */
interface Met {
  holding: Holding
  order: LiveOrder
}

/** The orders that takers meet. */
export class RestingOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly funds: AccountFunds,
    private readonly orders: OrderManager,
    private readonly counterparties: CounterpartyPicker,
    private readonly wishes: PendingWishes,
    private readonly quotes: StandingQuotes,
    private readonly random: RandomSource,
  ) {}

  /** The order that the crowd meets: the one placed before, or one placed a moment ago. */
  metByCrowd({ holding, timeMs, side, px, sz, reduceOnly, order }: MetOrder): LiveOrder {
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
   * What a trade meets on a side: a waiting wish, a quote, what is left of an order, or the order
   * of somebody who is drawn; null for the crowd's.
   */
  meet(request: TakerOrder, print: TradePrint, side: 'B' | 'A'): Met | null {
    const { market, taker } = request
    if (print.maker) return this.metOrderOf(print.maker, request, print, side)
    // The crowd sells no more to traders than it can be short of.
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
    // What a persona trades is planned to the lot.
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

  /** A while ago, when the book had room for it. */
  private placedMs({ market, side, px, timeMs }: PlacedOrder, { joinMs }: Agent): number {
    const placedMs = timeMs - Math.floor(200 * 450 ** this.random.unit())
    const freeMs = market.touch.freeFromMs(side, px, timeMs)
    return Math.max(placedMs, freeMs, joinMs, this.orders.earliestMs)
  }
}

function pruneFilled(orders: Map<Px, LiveOrder>): void {
  for (const [px, order] of orders) if (order.endMs !== null) orders.delete(px)
}
