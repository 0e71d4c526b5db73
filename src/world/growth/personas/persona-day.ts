import { absolute, raw, type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Agent } from '../../casting/agents/agent.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { Holding, MarketState } from '../../casting/market/market-state.ts'
import type { OrderValue } from '../../casting/personas/persona-desk.ts'

/** When a segment is grown, and what its instants are counted from. */
export interface PersonaTimes {
  /** When the tape began. */
  originMs: number
  fromMs: number
  toMs: number
}

/**
 * What a persona that goes on plans by. When it acts follows from its address and from the instant,
 * so that it does not matter where a segment begins.
 */
export class PersonaDay {
  /** Perpetuals of the main dex: the most traded first. */
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

  /** What is drawn for the n-th time that something is done. */
  draws(what: string, nth: number): RandomSource {
    return this.habits.fork(`${what} ${nth}`)
  }

  /** Acts once in each period since the tape began, somewhere in its first part. */
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

  /** A size in proportion to what is traded in a market. */
  size(market: MarketState, { ofHour, leastUsd, mostUsd }: OrderValue): Sz {
    const usd = 3600 * market.survey.usdPerSecond * ofHour
    return market.sizeFor(Math.min(mostUsd * 1e6, Math.max(leastUsd * 1e6, usd)))
  }

  /** Takes what there is. */
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

  /** What a position has gained by now, as a part of what it cost. */
  gained({ market, sz, cost }: Holding): number {
    const paid = Math.abs(raw(cost))
    return paid === 0 ? 0 : (Math.sign(raw(sz)) * (Math.abs(market.value(sz)) - paid)) / paid
  }
}
