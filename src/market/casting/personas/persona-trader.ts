import { absolute, usd as money, type Px, type Sz, ZERO } from '../../../decimal/quantity.ts'
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
  /** The order rests, and the crowd takes it. */
  rests?: boolean
}

/** A persona that acts: what it plans is traded with the crowd, by the matching of everybody. */
export class PersonaTrader {
  constructor(
    readonly context: CastingContext,
    readonly agent: Agent,
    private readonly leverage: number,
    private readonly isolated: boolean,
  ) {}

  /** Has the orders filled, each at its time. */
  plan(orders: Iterable<PlannedOrder>): void {
    for (const order of orders) this.context.tasks.put(order.timeMs, () => this.trade(order))
  }

  /** What it holds of a market, with the margin it has chosen. */
  holding({ market }: MarketPast): Holding {
    const holding = this.context.ledger.holding(this.agent, market)
    const leverage = Math.min(this.leverage, market.row.maxLeverage)
    return Object.assign(holding, { leverage, isolated: this.isolated })
  }

  /** Brings so many micro-dollars, to the cent. */
  deposit(usd: number, timeMs: number): void {
    const { ledger } = this.context
    ledger.deposit(ledger.account(this.agent, ''), money(Math.ceil(usd / 1e4) * 1e4), timeMs)
  }

  /** Has an order filled now. */
  trade({ past, timeMs, side, sz, px, rests = false }: PlannedOrder): void {
    const { matching } = this.context
    const { market } = past
    market.px = past.pxAt(timeMs)
    const holding = this.holding(past)
    const at = px ?? past.within(market.px, timeMs)
    const closes = holding.sz !== ZERO && holding.sz > ZERO === (side === 'A')
    const reduceOnly = closes && sz <= absolute(holding.sz)
    if (rests) return matching.meetCrowd({ holding, timeMs, side, px: at, sz, reduceOnly: false })
    const prints = [{ px: at, sz }]
    matching.execute({ market, timeMs, side, prints, taker: holding, reduceOnly, fromCrowd: true })
  }
}
