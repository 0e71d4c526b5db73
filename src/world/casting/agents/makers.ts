import { DAY_MS } from '../../../clock/durations.ts'
import { absolute, lesser, raw, type Sz, ZERO } from '../../../decimal/quantity.ts'
import { activityAt } from '../../../market/activity-hours.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { CastingContext } from '../casting-context.ts'
import { crossMargin } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import { quotedPx } from '../market/quoted-price.ts'
import { logUniform } from '../random-values.ts'
import type { Agent } from './agent.ts'

/** Fills of a maker in one market on a day: a power law. */
const FILLS_PER_DAY = { least: 9, exponent: 1.3, most: 140 }
/** Size of a quote against equity, and inventory that is too much. */
const QUOTE_SHARE = 0.2
const INVENTORY_MAX = 1
/** Chance that a quote closes exactly what is held. */
const FLATTENS = 0.7
/** Quotes are no larger than the turnover of so many seconds. */
const QUOTE_SECONDS = 40

/** Makers: they offer both sides, lean against what they hold, and shed what is too much. */
export class Makers {
  constructor(
    private readonly context: CastingContext,
    private readonly random: RandomSource,
  ) {}

  /** Has an agent quote one market from an instant on. */
  begin(agent: Agent, market: MarketState, fromMs: number): void {
    const { least, exponent, most } = FILLS_PER_DAY
    const habits = this.context.agents.habitsOf(agent).fork(market.row.coin)
    const perDay = Math.min(most, least * (1 - habits.unit()) ** (-1 / exponent))
    this.plan(agent, market, perDay, fromMs)
  }

  private plan(agent: Agent, market: MarketState, perDay: number, fromMs: number): void {
    const meanMs = DAY_MS / perDay / activityAt('always', fromMs)
    const timeMs = Math.ceil(fromMs - meanMs * Math.log(1 - this.random.unit()))
    this.context.tasks.put(timeMs, () => {
      this.quote(agent, market, timeMs)
      this.plan(agent, market, perDay, timeMs)
    })
  }

  private quote(agent: Agent, market: MarketState, timeMs: number): void {
    const { context, random } = this
    context.venue.updatePrice(market, timeMs)
    const holding = context.ledger.holding(agent, market)
    const equity = Math.max(crossMargin(holding.account).equity, 0.1 * agent.wealthUsd)
    const inventory = market.value(holding.sz) / (equity * INVENTORY_MAX)
    if (market.isPerp && Math.abs(inventory) > 1) return this.shed(holding, timeMs)
    const most = market.survey.usdPerSecond * QUOTE_SECONDS
    const usd = Math.min(equity * QUOTE_SHARE * logUniform(random, 0.3, 1.6), most)
    const bid = this.offered(holding, usd * (1 - Math.max(0, inventory)), true)
    const ask = this.offered(holding, usd * (1 + Math.min(0, inventory)), false)
    context.venue.quote(
      {
        holding,
        bid: { px: quotedPx(market, 'B'), sz: bid },
        ask: { px: quotedPx(market, 'A'), sz: ask },
      },
      timeMs,
    )
  }

  private offered({ market, sz }: Holding, usd: number, buys: boolean): Sz {
    const offered = usd < 10e6 ? ZERO : market.sizeFor(usd)
    const reduces = sz !== ZERO && sz < ZERO === buys
    if (!market.isPerp && !buys) return lesser(offered, sz)
    if (!reduces) return offered
    const held = absolute(sz)
    return raw(held) < 4 * raw(offered) && this.random.chance(FLATTENS) ? held : offered
  }

  private shed(holding: Holding, timeMs: number): void {
    const { market } = holding
    const sz = lesser(absolute(holding.sz), market.sizeFor(Math.abs(market.value(holding.sz)) / 2))
    const side = holding.sz > ZERO ? 'A' : 'B'
    this.context.venue.submit({ holding, side, sz, reduceOnly: true, limitPx: null }, timeMs)
  }
}
