import { add, type Px, type Sz, subtract, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Agent } from '../agents/agent.ts'
import type { CounterpartyPicker } from '../agents/counterparties.ts'
import type { AccountFunds } from '../ledger/account-funds.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Holding } from '../market/market-state.ts'
import { randomClientId } from '../random-values.ts'
import type { LiveOrder, OrderManager } from './order-manager.ts'
import type { PendingWish, PendingWishes } from './pending-wishes.ts'
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

/** The orders that takers meet. */
export class RestingOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly funds: AccountFunds,
    private readonly orders: OrderManager,
    private readonly counterparties: CounterpartyPicker,
    private readonly wishes: PendingWishes,
    private readonly random: RandomSource,
  ) {}

  /** The order that the crowd meets: the one placed before, or one placed a moment ago. */
  metByCrowd({ holding, timeMs, side, px, sz, reduceOnly, order }: MetOrder): LiveOrder {
    this.funds.ensure(holding, side, sz, timeMs)
    if (order) return order
    const { agent } = holding.account
    const isMaker = agent.role === 'maker'
    return this.orders.place(agent, holding.market, {
      timeMs: this.placedMs(timeMs, agent),
      side,
      limitPx: px,
      origSz: sz,
      reduceOnly,
      tif: isMaker ? 'Alo' : 'Gtc',
      cloid: isMaker && this.random.chance(0.4) ? randomClientId(this.random) : null,
    })
  }

  /** What a trade meets on a side: a wish, an order that is left, or a maker's. */
  meet(
    request: TakerOrder,
    print: TradePrint,
    side: 'B' | 'A',
  ): { holding: Holding; order: LiveOrder } {
    const { market, taker } = request
    const wished = print.maker ? undefined : this.wishes.toMeet(side, print, taker, request.timeMs)
    if (wished) return this.metWish(wished, request, print)
    if (!print.maker) {
      const resting = market.resting[side].get(print.px)
      const fits = resting && resting.endMs === null && resting.owner !== taker.account.agent
      if (
        fits &&
        subtract(resting.origSz, resting.filledSz) >= print.sz &&
        this.random.chance(0.7)
      ) {
        const holding = this.ledger.holding(resting.owner, market)
        this.funds.ensure(holding, side, print.sz, request.timeMs)
        return { holding, order: resting }
      }
    }
    const chosen =
      print.maker ?? this.counterparties.maker(market, side, print.sz, taker, request.timeMs)
    this.funds.ensure(chosen, side, print.sz, request.timeMs)
    return { holding: chosen, order: this.restingOrder(request, print, side, chosen) }
  }

  private metWish(pending: PendingWish, request: TakerOrder, print: TradePrint) {
    const { holding, side, order } = pending.wish
    this.funds.ensure(holding, side, print.sz, request.timeMs)
    this.wishes.give(pending, print.sz)
    return { holding, order: order ?? this.restingOrder(request, print, side, holding) }
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
    const surplus: Sz =
      agent.persona || random.chance(0.55)
        ? ZERO
        : market.sizeFor(market.value(print.sz) * 3 * random.unit())
    const order = this.orders.place(agent, market, {
      timeMs: this.placedMs(timeMs, agent),
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

  private placedMs(timeMs: number, { joinMs }: Agent): number {
    const placedMs = timeMs - Math.floor(200 * 450 ** this.random.unit())
    return Math.max(placedMs, joinMs, this.orders.earliestMs)
  }
}

function pruneFilled(orders: Map<Px, LiveOrder>): void {
  for (const [px, order] of orders) if (order.endMs !== null) orders.delete(px)
}
