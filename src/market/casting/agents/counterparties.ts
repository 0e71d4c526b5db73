import { type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Role } from '../../schema/schema.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { crossMargin } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { Agent } from './agent.ts'
import type { AgentPool } from './agents.ts'

/**
 * So many trades of a minute, of all instruments together, are taken by traders without a wish, and
 * so many are made: all others are the crowd's.
 */
const DRAWN_PER_MINUTE = 3
/** Few are drawn, so that each of them is seen to trade all the time. */
const DRAWN = 2
/** From so many usual trades on an order is a whale's; larger ones always, where one can pay. */
const LARGE = { from: 12, always: 150 }
/** How many whales are asked for such an order. */
const WHALES = 6
/** Of what its margin allows, nobody uses more than this by trades that he has not planned. */
const MARGIN_SHARE = 0.8

/** Draws traders for trades that nobody has asked for; most of these nobody is drawn for. */
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

  /** Who takes a trade. */
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

  /** Whose order is hit. */
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

  /** Whose order is hit where the crowd has nothing to trade: somebody always is. */
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

  /** Somebody whose position it reduces, else the first whose margin is enough for it. */
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

  /** Micro-dollars that somebody could trade beyond a size; below 0 where it is too much. */
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
