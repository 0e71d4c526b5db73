import { DAY_MS, MINUTE_MS } from '../../clock/instant.ts'
import { absolute, usd as money, type Px, raw, type Sz, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { fundingBetween } from '../accounting/funding.ts'
import type { Agent } from '../casting/agents/agents.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import type { MarketPast } from '../casting/history/past.ts'
import type { PricePath } from '../casting/history/price-path.ts'
import type { Holding } from '../casting/market/market-state.ts'
import type { Persona, Role } from '../schema/schema.ts'

/** Days of history that plans cover. */
const DAYS = 30

/** Order size: a share of a turnover, clamped to these dollars. */
export interface OrderValue {
  /** Share of an hour's turnover. */
  ofHour: number
  leastUsd: number
  mostUsd: number
}

/** Input of plans: the markets with their known past, and the start of the tape. */
export class PersonaPlanner {
  /** Main-dex perpetuals with a price, most traded first. */
  readonly perps: readonly MarketPast[]
  /** Length of a plan's day: a real one, but shorter where the history is shorter than a month. */
  readonly dayMs: number

  constructor(
    readonly context: CastingContext,
    private readonly paths: readonly PricePath[],
    readonly startMs: number,
    readonly random: RandomSource,
  ) {
    const sinceMs = startMs - context.historyStartMs
    this.dayMs = Math.min(DAY_MS, MINUTE_MS * Math.round(sinceMs / DAYS / MINUTE_MS))
    this.perps = paths
      .map(({ past }) => past)
      .filter(({ market }) => market.isPerp && market.row.dex === '')
      .sort((a, b) => usdPerSecond(b) - usdPerSecond(a))
  }

  trader(
    persona: Persona | null,
    role: Role,
    usd: number,
    leverage: number,
    isolated = false,
    given: Partial<Pick<Agent, 'mode' | 'master'>> = {},
  ): PersonaTrader {
    const agent = this.context.agents.addPlanned(persona, role, Math.round(usd) * 1e6, given)
    return new PersonaTrader(this.context, agent, leverage, isolated)
  }

  /** A size in proportion to a market's turnover. */
  size(past: MarketPast, { ofHour, leastUsd, mostUsd }: OrderValue): Sz {
    const usd = 3600 * usdPerSecond(past) * ofHour
    return past.market.sizeFor(Math.min(mostUsd * 1e6, Math.max(leastUsd * 1e6, usd)))
  }

  /** Funding that a position of signed size will pay, micro-dollars. */
  fundingPaid(past: MarketPast, signed: Sz, fromMs: number, toMs: number): number {
    const hours = this.paths.find((path) => path.past === past)?.funding ?? []
    const indexAt = (atMs: number) =>
      hours.findLast(({ timeMs }) => timeMs <= atMs)?.fundingIndex ?? ZERO
    return raw(fundingBetween(signed, indexAt(fromMs), indexAt(toMs), past.market.row))
  }

  /** Relative price change between two instants. */
  move(past: MarketPast, fromMs: number, toMs: number): number {
    return raw(past.pxAt(toMs)) / raw(past.pxAt(fromMs)) - 1
  }
}

const usdPerSecond = ({ market }: MarketPast): number => market.survey.usdPerSecond

/** A planned fill of a persona. */
export interface PlannedOrder {
  past: MarketPast
  timeMs: number
  side: 'B' | 'A'
  sz: Sz
  /** Fill price; the price of the instant when left out. */
  px?: Px
  /** The order rests, and the crowd fills it. */
  rests?: boolean
}

/** A persona's account: its plans are traded with the crowd, by the ordinary matching. */
export class PersonaTrader {
  constructor(
    readonly context: CastingContext,
    readonly agent: Agent,
    private readonly leverage: number,
    private readonly isolated: boolean,
  ) {}

  /** Schedules the orders. */
  plan(orders: Iterable<PlannedOrder>): void {
    for (const order of orders) this.context.tasks.put(order.timeMs, () => this.trade(order))
  }

  /** Its holding in a market, with its chosen margin. */
  holding({ market }: MarketPast): Holding {
    const holding = this.context.ledger.holding(this.agent, market)
    const leverage = Math.min(this.leverage, market.row.maxLeverage)
    return Object.assign(holding, { leverage, isolated: this.isolated })
  }

  /** Deposits micro-dollars, rounded to the cent. */
  deposit(usd: number, timeMs: number): void {
    const { ledger } = this.context
    ledger.deposit(ledger.account(this.agent, ''), money(Math.ceil(usd / 1e4) * 1e4), timeMs)
  }

  /** Fills an order now. */
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
