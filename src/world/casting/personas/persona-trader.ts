import { absolute, type Px, type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { Agent } from '../agents/agent.ts'
import type { CastingContext } from '../casting-context.ts'
import type { MarketPast } from '../history/past.ts'
import type { Holding } from '../market/market-state.ts'

/** An order that a persona is going to have filled. */
export interface PlannedOrder {
  past: MarketPast
  timeMs: number
  side: 'B' | 'A'
  sz: Sz
  /** Where it is filled; the price of the instant when left out. */
  px?: Px
  /** The order rests, and somebody else takes it. */
  rests?: boolean
}

/** A persona that acts: what it plans goes through the matching and the ledger of everybody. */
export class PersonaTrader {
  constructor(
    readonly context: CastingContext,
    readonly agent: Agent,
    private readonly leverage: number,
  ) {}

  /** Has the orders filled, each at its time. */
  plan(orders: Iterable<PlannedOrder>): void {
    for (const order of orders) this.context.tasks.put(order.timeMs, () => this.trade(order))
  }

  /** What it holds of a market, on cross margin. */
  holding({ market }: MarketPast): Holding {
    const holding = this.context.ledger.holding(this.agent, market)
    const leverage = Math.min(this.leverage, market.row.maxLeverage)
    return Object.assign(holding, { leverage, isolated: false })
  }

  /** Has an order filled now. */
  trade({ past, timeMs, side, sz, px, rests = false }: PlannedOrder): void {
    const { matching } = this.context
    const { market } = past
    market.px = past.pxAt(timeMs)
    const own = this.holding(past)
    const at = px ?? past.within(market.px, timeMs)
    const closes = own.sz !== ZERO && own.sz > ZERO === (side === 'A') && sz <= absolute(own.sz)
    if (rests)
      return matching.meetCrowd({ holding: own, timeMs, side, px: at, sz, reduceOnly: false })
    const prints = [{ px: at, sz }]
    const order = { market, timeMs, side, prints, taker: own, reduceOnly: closes }
    matching.execute({ ...order, fromCrowd: true })
  }
}
