import { DAY_MS } from '../../../clock/durations.ts'
import { absolute, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { CastingContext } from '../casting-context.ts'
import { crossMargin } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { Agent } from './agent.ts'

const MINUTES = [5, 10, 10, 15, 15, 30, 30, 30, 45, 60, 90, 120, 240]
/** Share of the market's turnover that one takes. */
const PARTICIPATION = 0.03
/** Suborders are worth this at least, micro-dollars. */
const SLICE_USD_MIN = 12e6

/** Traders who enter and leave by TWAPs only. */
export class TwapTraders {
  constructor(
    private readonly context: CastingContext,
    private readonly random: RandomSource,
  ) {}

  /** Has an agent work TWAPs from an instant on, the first one right away if he has just joined. */
  begin(agent: Agent, fromMs: number): void {
    const traded = this.context.markets.filter(({ px }) => px !== ZERO)
    const wanted = traded.filter(({ survey }) => survey.usdPerSecond > 200e6)
    const pool = wanted.length > 0 ? wanted : traded
    if (pool.length === 0) return
    const habits = this.context.agents.habitsOf(agent)
    const markets = [habits.pick(pool), habits.pick(pool)]
    if (fromMs > agent.joinMs) return this.plan(agent, markets, fromMs)
    const firstMs = Math.floor(fromMs + this.random.unit() * 600_000)
    this.context.tasks.put(firstMs, () => this.start(agent, this.random.pick(markets), firstMs))
    this.plan(agent, markets, firstMs)
  }

  private plan(agent: Agent, markets: readonly MarketState[], fromMs: number): void {
    const meanMs = DAY_MS / agent.style.tradesPerDay
    const timeMs = Math.ceil(fromMs - meanMs * Math.log(1 - this.random.unit()))
    this.context.tasks.put(timeMs, () => {
      this.start(agent, this.random.pick(markets), timeMs)
      this.plan(agent, markets, timeMs)
    })
  }

  private start(agent: Agent, market: MarketState, timeMs: number): void {
    const { context, random } = this
    context.venue.updatePrice(market, timeMs)
    const holding = context.ledger.holding(agent, market)
    if (context.twaps.isRunning(holding)) return
    const reduces = holding.sz !== ZERO && random.chance(0.8)
    const minutes = random.pick(MINUTES)
    const sz = reduces ? absolute(holding.sz) : market.sizeFor(this.wantedUsd(holding, minutes))
    if (market.value(sz) < 2 * minutes * SLICE_USD_MIN) return
    const buys = reduces ? holding.sz < ZERO : market.isPerp ? random.chance(0.5) : true
    const share = random.chance(0.15) ? 0.2 + 0.7 * random.unit() : 1
    context.twaps.start(
      { holding, side: buys ? 'B' : 'A', sz, minutes, reduceOnly: reduces, share },
      timeMs,
    )
  }

  private wantedUsd({ account, market }: Holding, minutes: number): number {
    const { style, wealthUsd } = account.agent
    const { equity, initial } = crossMargin(account)
    const free = account.dex === '' ? Math.max(0, equity - initial) : wealthUsd / 4
    const affordable = 0.5 * free * (market.isPerp ? Math.min(style.leverage, 10) : 1)
    const part = PARTICIPATION * (0.3 + this.random.unit())
    return Math.min(affordable, market.survey.usdPerSecond * minutes * 60 * part)
  }
}
