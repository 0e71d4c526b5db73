import { absolute, negate, type Sz, times, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Role } from '../../schema.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { Agent, AgentPool } from './agents.ts'

/** How often a role takes a trade of a size class. */
const TAKER_WEIGHTS: Record<'small' | 'middle' | 'large', Partial<Record<Role, number>>> = {
  small: { scalper: 5, quiet: 3, builderUser: 3, swing: 2, maker: 1 },
  middle: { swing: 4, builderUser: 2, scalper: 2, quiet: 1, whale: 1 },
  large: { whale: 5, maker: 4, swing: 2 },
}

/** No position is closed on its owner's plan sooner than this after it was opened. */
const HOLD_MIN_MS = 4_000

/** Picks the taker and the maker of a trade: by role, by size, and by what they hold. */
export class CounterpartyPicker {
  constructor(
    private readonly agents: AgentPool,
    private readonly ledger: Ledger,
    private readonly random: RandomSource,
  ) {}

  /** The taker of a trade of the tape: side and size are given. */
  taker(market: MarketState, side: 'B' | 'A', sz: Sz, timeMs: number): Holding {
    const exact = this.exactSize(market, side, sz, timeMs)
    if (exact && this.random.chance(0.85)) return exact
    const exiting = this.exiting(market, side, timeMs)
    if (exiting) {
      const left = absolute(exiting.sz)
      if (left >= sz || (times(left, 3) > sz && exiting.account.agent.role !== 'quiet'))
        return exiting
    }
    let choice: Holding | undefined
    for (let draw = 0; draw < 4; draw++) {
      const agent = this.drawAgent(market.value(sz), market, timeMs)
      if (!agent) continue
      const holding = this.ledger.holding(agent, market)
      if (holding.account.awaitsLiquidation) continue
      choice = holding
      const adds = holding.sz !== ZERO && holding.sz > ZERO === (side === 'B')
      const fits = market.isPerp ? !adds : side === 'B' || holding.sz >= sz
      if (fits) break
    }
    return choice ?? this.ledger.holding(this.firstAgent('swing', timeMs), market)
  }

  /** The taker of the next trade of the history, any side. */
  historyTaker(market: MarketState, usd: number, timeMs: number): Holding | undefined {
    const agent = this.drawAgent(usd, market, timeMs)
    const holding = agent && this.ledger.holding(agent, market)
    return holding?.account.awaitsLiquidation ? undefined : holding
  }

  /**
   * Whose resting order is hit: mostly makers, those first whose inventory it reduces.
   */
  maker(market: MarketState, side: 'B' | 'A', sz: Sz, taker: Holding, timeMs: number): Holding {
    const exact = this.exactSize(market, side, sz, timeMs)
    if (exact && exact !== taker && this.random.chance(0.5)) return exact
    if (this.random.chance(0.12)) {
      const exiting = this.exiting(market, side, timeMs)
      if (exiting && exiting !== taker && absolute(exiting.sz) >= sz) return exiting
    }
    const makers = this.agents.of('maker')
    let choice: Holding | undefined
    for (let draw = 0; draw < 3; draw++) {
      const agent = this.random.pick(makers)
      if (agent === taker.account.agent) continue
      const holding = this.ledger.holding(agent, market)
      if (!choice || (side === 'B' ? holding.sz < choice.sz : holding.sz > choice.sz))
        choice = holding
    }
    if (choice) return choice
    const other = makers.find((agent) => agent !== taker.account.agent)
    if (!other) throw new Error('a market needs two makers')
    return this.ledger.holding(other, market)
  }

  /** A holding whose planned exit is due and that a trade on `side` reduces, if any. */
  exiting(market: MarketState, side: 'B' | 'A' | null, timeMs: number): Holding | undefined {
    const { exitQueue, overdueExits } = market
    for (let holding = exitQueue.take(timeMs); holding; holding = exitQueue.take(timeMs)) {
      holding.isQueued = false
      if (holding.sz === ZERO) continue
      if (holding.exitMs > timeMs) market.planExit(holding, holding.exitMs)
      else {
        holding.isQueued = true
        overdueExits[holding.sz > ZERO ? 'long' : 'short'].push(holding)
      }
    }
    const direction =
      side === 'A' ? 'long' : side === 'B' ? 'short' : this.random.chance(0.5) ? 'long' : 'short'
    return this.pick(overdueExits[direction], direction === 'long', market, timeMs)
  }

  /** One of a list that is still due to exit; the others are taken off it. */
  private pick(list: Holding[], long: boolean, market: MarketState, timeMs: number) {
    while (list.length > 0) {
      const place = this.random.between(0, list.length - 1)
      const holding = list[place] as Holding
      if (holding.sz !== ZERO && holding.sz > ZERO === long && holding.exitMs <= timeMs)
        return holding
      list[place] = list[list.length - 1] as Holding
      list.pop()
      holding.isQueued = false
      if (holding.sz !== ZERO) market.planExit(holding, Math.max(holding.exitMs, timeMs + 1))
    }
    return undefined
  }

  /** How long the owner of a new position plans to hold it; undefined without a plan. */
  holdMs(role: Role): number | undefined {
    const [low, high] = HOLD_RANGE_MS[role] ?? [0, 0]
    if (high === 0) return undefined
    return Math.floor(low * (high / low) ** this.random.unit())
  }

  private exactSize(
    market: MarketState,
    side: 'B' | 'A',
    sz: Sz,
    timeMs: number,
  ): Holding | undefined {
    const wanted = side === 'B' ? negate(sz) : sz
    const holding = market.bySize.get(wanted)
    if (!holding || holding.sz !== wanted || holding.account.awaitsLiquidation || !holding.position)
      return undefined
    if (holding.account.agent.persona) return undefined
    return timeMs - holding.position.openMs >= HOLD_MIN_MS ? holding : undefined
  }

  private drawAgent(usd: number, market: MarketState, timeMs: number): Agent | undefined {
    const ratio = usd / market.survey.tradeUsd
    const roles = ROLES_BY_WEIGHT[ratio < 1.5 ? 'small' : ratio < 12 ? 'middle' : 'large']
    const agent = this.random.pick(this.agents.of(this.random.pick(roles)))
    return agent.joinMs < timeMs ? agent : undefined
  }

  private firstAgent(role: Role, timeMs: number): Agent {
    const list = this.agents.of(role)
    const agent = list.find(({ joinMs }) => joinMs < timeMs) ?? list[0]
    if (!agent) throw new Error(`no agent has the role ${role}`)
    return agent
  }
}

/** Each role as often as its weight says. */
const ROLES_BY_WEIGHT = { small: roles('small'), middle: roles('middle'), large: roles('large') }

function roles(size: keyof typeof TAKER_WEIGHTS): Role[] {
  return Object.entries(TAKER_WEIGHTS[size]).flatMap(([role, weight]) => Array(weight).fill(role))
}

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/** Shortest and longest time that a role plans to hold a position. */
const HOLD_RANGE_MS: Partial<Record<Role, [number, number]>> = {
  scalper: [MINUTE_MS, 45 * MINUTE_MS],
  swing: [30 * MINUTE_MS, 4 * DAY_MS],
  builderUser: [10 * MINUTE_MS, DAY_MS],
  quiet: [4 * 60 * MINUTE_MS, 9 * DAY_MS],
  whale: [2 * 60 * MINUTE_MS, 6 * DAY_MS],
  twap: [6 * 60 * MINUTE_MS, 5 * DAY_MS],
}
