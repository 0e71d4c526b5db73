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

/** Nobody gets rid of a position sooner than this after opening it by plan. */
const HOLD_MIN_MS = 4_000

/** Who takes and who makes: by role, by size, and by what they hold. */
export class CounterpartyPicker {
  constructor(
    private readonly agents: AgentPool,
    private readonly ledger: Ledger,
    private readonly random: RandomSource,
  ) {}

  /** The taker of a trade that the tape tells: side and size are given. */
  taker(market: MarketState, side: 'B' | 'A', sz: Sz, timeMs: number): Holding {
    const exact = this.exactSize(market, side, sz, timeMs)
    if (exact && this.random.chance(0.85)) return exact
    const closer = this.exiting(market, side, timeMs)
    if (closer) {
      const left = absolute(closer.sz)
      if (left >= sz || (times(left, 3) > sz && closer.account.agent.role !== 'quiet'))
        return closer
    }
    let choice: Holding | undefined
    for (let draw = 0; draw < 4; draw++) {
      const trader = this.drawAgent(market.value(sz), market, timeMs)
      if (!trader) continue
      const held = this.ledger.holding(trader, market)
      if (held.account.awaitsLiquidation) continue
      choice = held
      const adds = held.sz !== ZERO && held.sz > ZERO === (side === 'B')
      const fits = market.isPerp ? !adds : side === 'B' || held.sz >= sz
      if (fits) break
    }
    return choice ?? this.ledger.holding(this.firstAgent('swing', timeMs), market)
  }

  /** Somebody to make the next trade of the history, any side. */
  historyTaker(market: MarketState, usd: number, timeMs: number): Holding | undefined {
    const trader = this.drawAgent(usd, market, timeMs)
    const held = trader && this.ledger.holding(trader, market)
    return held?.account.awaitsLiquidation ? undefined : held
  }

  /**
   * Who rests at the price and is hit: mostly makers, those first whom it helps out of inventory.
   */
  maker(market: MarketState, side: 'B' | 'A', sz: Sz, taker: Holding, timeMs: number): Holding {
    const exact = this.exactSize(market, side, sz, timeMs)
    if (exact && exact !== taker && this.random.chance(0.5)) return exact
    if (this.random.chance(0.12)) {
      const closer = this.exiting(market, side, timeMs)
      if (closer && closer !== taker && absolute(closer.sz) >= sz) return closer
    }
    const makers = this.agents.of('maker')
    let choice: Holding | undefined
    for (let draw = 0; draw < 3; draw++) {
      const trader = this.random.pick(makers)
      if (trader === taker.account.agent) continue
      const held = this.ledger.holding(trader, market)
      if (!choice || (side === 'B' ? held.sz < choice.sz : held.sz > choice.sz)) choice = held
    }
    if (choice) return choice
    const other = makers.find((trader) => trader !== taker.account.agent)
    if (!other) throw new Error('a market needs two makers')
    return this.ledger.holding(other, market)
  }

  /** Who wants out by a trade on `side`, if anybody. */
  exiting(market: MarketState, side: 'B' | 'A' | null, timeMs: number): Holding | undefined {
    const { exitQueue, overdueExits } = market
    for (let held = exitQueue.take(timeMs); held; held = exitQueue.take(timeMs)) {
      held.isQueued = false
      if (held.sz === ZERO) continue
      if (held.exitMs > timeMs) market.planExit(held, held.exitMs)
      else {
        held.isQueued = true
        overdueExits[held.sz > ZERO ? 'long' : 'short'].push(held)
      }
    }
    const direction =
      side === 'A' ? 'long' : side === 'B' ? 'short' : this.random.chance(0.5) ? 'long' : 'short'
    return this.pick(overdueExits[direction], direction === 'long', market, timeMs)
  }

  /** One of a list who still wants out; those who do not are taken off it. */
  private pick(list: Holding[], long: boolean, market: MarketState, timeMs: number) {
    while (list.length > 0) {
      const place = this.random.between(0, list.length - 1)
      const held = list[place] as Holding
      if (held.sz !== ZERO && held.sz > ZERO === long && held.exitMs <= timeMs) return held
      list[place] = list[list.length - 1] as Holding
      list.pop()
      held.isQueued = false
      if (held.sz !== ZERO) market.planExit(held, Math.max(held.exitMs, timeMs + 1))
    }
    return undefined
  }

  /** When somebody who just opened a position means to close it; undefined for never by plan. */
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
    const held = market.bySize.get(wanted)
    if (!held || held.sz !== wanted || held.account.awaitsLiquidation || !held.position)
      return undefined
    return timeMs - held.position.openMs >= HOLD_MIN_MS ? held : undefined
  }

  private drawAgent(usd: number, market: MarketState, timeMs: number): Agent | undefined {
    const ratio = usd / market.survey.tradeUsd
    const urn = ROLE_URNS[ratio < 1.5 ? 'small' : ratio < 12 ? 'middle' : 'large']
    const trader = this.random.pick(this.agents.of(this.random.pick(urn)))
    return trader.joinMs < timeMs ? trader : undefined
  }

  private firstAgent(role: Role, timeMs: number): Agent {
    const list = this.agents.of(role)
    const trader = list.find(({ joinMs }) => joinMs < timeMs) ?? list[0]
    if (!trader) throw new Error(`nobody has the role ${role}`)
    return trader
  }
}

/** Each role as often as it weighs. */
const ROLE_URNS = { small: urn('small'), middle: urn('middle'), large: urn('large') }

function urn(size: keyof typeof TAKER_WEIGHTS): Role[] {
  return Object.entries(TAKER_WEIGHTS[size]).flatMap(([role, weight]) => Array(weight).fill(role))
}

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/** Shortest and longest time that a role means to hold. */
const HOLD_RANGE_MS: Partial<Record<Role, [number, number]>> = {
  scalper: [MINUTE_MS, 45 * MINUTE_MS],
  swing: [30 * MINUTE_MS, 4 * DAY_MS],
  builderUser: [10 * MINUTE_MS, DAY_MS],
  quiet: [4 * 60 * MINUTE_MS, 9 * DAY_MS],
  whale: [2 * 60 * MINUTE_MS, 6 * DAY_MS],
  twap: [6 * 60 * MINUTE_MS, 5 * DAY_MS],
}
