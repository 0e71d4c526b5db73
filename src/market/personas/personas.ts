/** The personas that exist in every world: what each did before the tape, and does after it. */
import { absolute, raw, type Sz, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { Vault } from '../accounting/savings.ts'
import type { Agent } from '../casting/agents/agents.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import type { PricePath } from '../casting/history/price-path.ts'
import type { Holding, MarketState } from '../casting/market/market-state.ts'
import type { Persona } from '../schema/schema.ts'
import { planBorrower, planDepositor, planSubAccount, planUnified } from './account-modes.ts'
import { continueBusiest, planBusiest } from './busiest.ts'
import { planLargeAccounts } from './large-accounts.ts'
import { planLiquidated } from './liquidated.ts'
import { continueMarketMaker, planMarketMaker } from './market-maker.ts'
import { continueOverLeveraged, planOverLeveraged } from './over-leveraged.ts'
import { type OrderValue, PersonaPlanner } from './persona-planner.ts'
import { continueBeginner, continueStar, planBeginner, planStar } from './round-trips.ts'
import { planTwapWorker } from './twap-worker.ts'
import { continueWhale, planWhale } from './whale.ts'

interface PersonaBehaviour {
  /** Plans the time before the tape, whose prices are known. */
  plan(planner: PersonaPlanner, vault: Vault): void
  /**
   * Schedules the time after the tape, whose prices are not. Without it a persona has stopped, or
   * goes on like all traders of its role.
   */
  continue?(schedule: PersonaSchedule): void
}

const PERSONAS: Record<Persona, PersonaBehaviour> = {
  star: { plan: planStar, continue: continueStar },
  whale: { plan: planWhale, continue: continueWhale },
  marketMaker: { plan: planMarketMaker, continue: continueMarketMaker },
  overLeveraged: { plan: planOverLeveraged, continue: continueOverLeveraged },
  twapWorker: { plan: planTwapWorker },
  liquidatedLastNight: { plan: planLiquidated },
  beginner: { plan: planBeginner, continue: continueBeginner },
  empty: { plan: planEmpty },
  busiest: { plan: planBusiest, continue: continueBusiest },
  unified: { plan: planUnified },
  depositor: { plan: planDepositor },
  borrower: { plan: planBorrower },
  subAccount: { plan: planSubAccount },
}

/**
 * Plans the personas (src/market/schema/trader-rows.ts) before the tape. They use known prices, so
 * that each one's characteristic holds; each has a random source of its own.
 */
export function planPersonas(
  context: CastingContext,
  paths: readonly PricePath[],
  startMs: number,
  random: RandomSource,
  vault: Vault,
): void {
  const planner = (name: string) => new PersonaPlanner(context, paths, startMs, random.fork(name))
  // Without a perpetual none of the others can exist.
  if (planner('').perps.length === 0) return planEmpty(planner('empty'))
  for (const [name, { plan }] of Object.entries(PERSONAS)) plan(planner(name), vault)
  planLargeAccounts(planner('large'))
}

function planEmpty(planner: PersonaPlanner): void {
  planner.trader('empty', 'quiet', 0, 1)
}

/** Schedules the personas' behaviour to the end of a segment after the tape. */
export function continuePersonas(context: CastingContext, times: PersonaTimes): void {
  for (const agent of context.agents.all)
    if (agent.persona)
      PERSONAS[agent.persona].continue?.(new PersonaSchedule(context, agent, times))
}

/** Span of a segment, and the origin of its instants. */
export interface PersonaTimes {
  /** Start of the tape. */
  originMs: number
  fromMs: number
  toMs: number
}

/**
 * Schedule of a continuing persona. Its times follow from its address and the instant, so they do
 * not depend on segment boundaries.
 */
export class PersonaSchedule {
  /** Main-dex perpetuals, most traded first. */
  readonly perps: readonly MarketState[]
  private readonly habits: RandomSource

  constructor(
    readonly context: CastingContext,
    readonly agent: Agent,
    readonly times: PersonaTimes,
  ) {
    this.habits = context.agents.habitsOf(agent)
    this.perps = context.markets
      .filter(({ isPerp, row, px }) => isPerp && row.dex === '' && px !== ZERO)
      .sort((a, b) => b.survey.usdPerSecond - a.survey.usdPerSecond)
  }

  /** Random source of the n-th occurrence of an action. */
  draws(what: string, nth: number): RandomSource {
    return this.habits.fork(`${what} ${nth}`)
  }

  /** Acts once in each period since the tape began, at an instant in its first part. */
  each(
    what: string,
    { periodMs, within }: { periodMs: number; within: number },
    act: (timeMs: number, nth: number) => void,
  ): void {
    const { originMs, fromMs, toMs } = this.times
    const last = Math.floor((toMs - originMs) / periodMs)
    for (let nth = Math.floor((fromMs - originMs) / periodMs); nth <= last; nth++) {
      const part = within * this.draws(`${what} at`, nth).unit()
      const timeMs = Math.floor(originMs + (nth + part) * periodMs)
      if (timeMs > fromMs && timeMs <= toMs) this.context.tasks.put(timeMs, () => act(timeMs, nth))
    }
  }

  holding(market: MarketState): Holding {
    return this.context.ledger.holding(this.agent, market)
  }

  /** A size in proportion to a market's turnover. */
  size(market: MarketState, { ofHour, leastUsd, mostUsd }: OrderValue): Sz {
    const usd = 3600 * market.survey.usdPerSecond * ofHour
    return market.sizeFor(Math.min(mostUsd * 1e6, Math.max(leastUsd * 1e6, usd)))
  }

  /** Submits a market order. */
  take(holding: Holding, side: 'B' | 'A', sz: Sz, timeMs: number): void {
    if (sz <= ZERO || holding.account.awaitsLiquidation) return
    const closes = holding.sz !== ZERO && holding.sz > ZERO === (side === 'A')
    const reduceOnly = closes && sz <= absolute(holding.sz)
    this.context.venue.submit({ holding, side, sz, reduceOnly, limitPx: null }, timeMs)
  }

  /** Closes a position, or a part of it. */
  close(holding: Holding, timeMs: number, sz: Sz = absolute(holding.sz)): void {
    this.take(holding, holding.sz > ZERO ? 'A' : 'B', sz, timeMs)
  }

  /** Gain of a position, as a fraction of its cost. */
  gained({ market, sz, cost }: Holding): number {
    const paid = Math.abs(raw(cost))
    return paid === 0 ? 0 : (Math.sign(raw(sz)) * (Math.abs(market.value(sz)) - paid)) / paid
  }
}
