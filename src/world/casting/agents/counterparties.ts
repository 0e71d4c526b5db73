import { absolute, negate, type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Role } from '../../schema.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { crossMargin } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { Agent } from './agent.ts'
import type { AgentPool } from './agents.ts'

/** How often a role takes a trade of a size class that nobody has asked for. */
const TAKER_WEIGHTS: Record<'small' | 'middle' | 'large', Partial<Record<Role, number>>> = {
  small: { scalper: 12, maker: 3, builderUser: 1, swing: 1 },
  middle: { scalper: 6, maker: 3, swing: 2, whale: 2 },
  large: { whale: 6, maker: 3 },
}

/** No position is closed by its size alone sooner than this after it was opened. */
const HOLD_MIN_MS = 4_000
/** How many are asked before a trade goes to somebody whom it does not suit. */
const DRAWS = 8
/** Of what its margin allows, nobody uses more than this by trades that he has not planned. */
const MARGIN_SHARE = 0.8

/** Picks the taker and the maker of a trade of the tape: by role, size, and what they hold. */
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
    let choice: Holding | undefined
    let most = Number.NEGATIVE_INFINITY
    for (let draw = 0; draw < DRAWS; draw++) {
      const agent = this.drawAgent(market.value(sz), market, timeMs)
      if (!agent) continue
      const holding = this.ledger.holding(agent, market)
      if (holding.account.awaitsLiquidation) continue
      const reduces = holding.sz !== ZERO && holding.sz > ZERO === (side === 'A')
      if (reduces && absolute(holding.sz) >= sz) return holding
      const room = this.room(holding, side, sz)
      if (room > most) [choice, most] = [holding, room]
    }
    return choice ?? this.ledger.holding(this.firstAgent('swing', timeMs), market)
  }

  /** Whose resting order is hit: makers, those first whose inventory it reduces. */
  maker(market: MarketState, side: 'B' | 'A', sz: Sz, taker: Holding, timeMs: number): Holding {
    const exact = this.exactSize(market, side, sz, timeMs)
    if (exact && exact !== taker && this.random.chance(0.5)) return exact
    const makers = this.agents.makersOf(market)
    let choice: Holding | undefined
    let most = Number.NEGATIVE_INFINITY
    for (const agent of makers) {
      if (agent === taker.account.agent) continue
      const holding = this.ledger.holding(agent, market)
      const room = this.room(holding, side, sz) * (0.5 + this.random.unit())
      if (room > most) [choice, most] = [holding, room]
    }
    if (choice) return choice
    const other = this.agents.of('maker').find((agent) => agent !== taker.account.agent)
    if (!other) throw new Error('a market needs two makers')
    return this.ledger.holding(other, market)
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
    if (holding.account.agent.isPlanned) return undefined
    return timeMs - holding.position.openMs >= HOLD_MIN_MS ? holding : undefined
  }

  private drawAgent(usd: number, market: MarketState, timeMs: number): Agent | undefined {
    const ratio = usd / market.survey.tradeUsd
    const roles = ROLES_BY_WEIGHT[ratio < 1.5 ? 'small' : ratio < 12 ? 'middle' : 'large']
    const role = this.random.pick(roles)
    const isMaker = role === 'maker'
    const agent = this.random.pick(
      isMaker ? this.agents.makersOf(market) : this.agents.followersOf(market, role),
    )
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
