import { HOUR_MS } from '../../../clock/durations.ts'
import { raw } from '../../../decimal/quantity.ts'
import { BAR_MS } from '../../../market/minute-bar.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Agent } from '../agents/agent.ts'
import { beginTrading } from '../agents/population.ts'
import type { CastingContext } from '../casting-context.ts'
import type { MarketState } from '../market/market-state.ts'
import type { PlannedLiquidation } from '../survey/tape-survey.ts'
import { CrowdVenue } from './crowd-venue.ts'
import type { MarketPast } from './past.ts'
import { openPlanned, type PlannedOpening } from './planned-liquidation.ts'
import type { PricePath } from './price-path.ts'

/** An order is placed away from the price about so often in each instrument. */
const PASSIVE_MS = 1.3 * HOUR_MS
/** Funding and prices of other positions change margins slowly: so often all are looked at. */
const MARGIN_MS = 4 * HOUR_MS

/** What part of the past is most of it. */
const MOST = 0.75

/** Casts the days before the tape: the traders act, and the crowd takes the other side. */
export class History {
  readonly preparedAgents = new Map<PlannedLiquidation, Agent>()
  private readonly pasts: ReadonlyMap<MarketState, MarketPast>

  constructor(
    private readonly context: CastingContext,
    private readonly paths: readonly PricePath[],
    private readonly random: RandomSource,
  ) {
    this.pasts = new Map(paths.map(({ market, past }) => [market, past]))
  }

  /**
   * Does all that is due before `startMs`, in order of time: tasks may put further ones.
   *
   * @param onMost called once, when most of it is done
   */
  write(
    grid: readonly number[],
    startMs: number,
    openings: readonly PlannedOpening[],
    onMost: () => void,
  ): void {
    const { context, random } = this
    const venue = new CrowdVenue(context, this.pasts, random.fork('crowd'))
    context.venue = venue
    this.planFunding()
    this.planMarks(grid)
    this.planOpenings(openings)
    this.planMarginChecks(startMs)
    for (const { market } of this.paths) this.planPassiveOrder(market, context.historyStartMs)
    beginTrading(context, random.fork('population'), context.historyStartMs)
    const minutes = (startMs - context.historyStartMs) / BAR_MS
    const mostMs = context.historyStartMs + Math.floor(MOST * minutes) * BAR_MS
    for (let timeMs = context.historyStartMs; timeMs < startMs; timeMs += BAR_MS) {
      if (timeMs === mostMs) onMost()
      venue.beginMinute(timeMs)
      context.runTasks(Math.min(timeMs + BAR_MS, startMs) - 1)
    }
    for (const { market } of this.paths) venue.updatePrice(market, startMs - 1)
  }

  private planFunding(): void {
    const { tasks, funding } = this.context
    for (const path of this.paths)
      for (const hour of path.funding)
        tasks.put(hour.timeMs, () => funding.recordPast(path.market, hour))
  }

  private planMarks(grid: readonly number[]): void {
    const { tasks, markPrices, passiveOrders, venue } = this.context
    const mark = (at: number): void => {
      const timeMs = grid[at]
      if (timeMs === undefined) return
      tasks.put(timeMs, () => {
        for (const { market } of this.paths) {
          venue.updatePrice(market, timeMs)
          const oracle = market.onTick(raw(market.px) / (1 + raw(market.premium) / 1e10))
          markPrices.mark(market, timeMs, market.px, oracle)
          passiveOrders.pullNear(market, timeMs)
        }
        mark(at + 1)
      })
    }
    mark(0)
  }

  private planOpenings(openings: readonly PlannedOpening[]): void {
    const { context } = this
    for (const opening of openings)
      context.tasks.put(opening.timeMs, () => {
        this.preparedAgents.set(opening.liquidation, openPlanned(context, opening))
      })
  }

  private planPassiveOrder(market: MarketState, fromMs: number): void {
    const { context, random } = this
    const timeMs = Math.ceil(fromMs - PASSIVE_MS * Math.log(1 - random.unit()))
    context.tasks.put(timeMs, () => {
      context.venue.updatePrice(market, timeMs)
      context.passiveOrders.placeAway(market, timeMs, 4 * 24 * HOUR_MS)
      this.planPassiveOrder(market, timeMs)
    })
  }

  private planMarginChecks(startMs: number): void {
    for (let timeMs = this.context.historyStartMs; timeMs < startMs; timeMs += MARGIN_MS)
      this.context.tasks.put(timeMs, () => this.context.watchMargins(timeMs))
  }
}
