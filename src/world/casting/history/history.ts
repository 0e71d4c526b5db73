import {
  absolute,
  greater,
  lesser,
  px as price,
  raw,
  type Sz,
  sz as size,
  subtract,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Agent } from '../agents/agents.ts'
import type { CastingContext } from '../casting-context.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { TradePrint } from '../matching/matching-engine.ts'
import { logUniform } from '../random-values.ts'
import type { PlannedLiquidation } from '../survey/tape-survey.ts'
import type { MarketPast } from './past.ts'
import { openPlanned, type PlannedOpening } from './planned-liquidation.ts'
import type { PricePath } from './price-path.ts'

const HOUR_MS = 3_600_000

/** Casts the days before the tape: trades along the price paths, executed as the tape's own are. */
export class History {
  readonly preparedAgents = new Map<PlannedLiquidation, Agent>()
  private stepMs = 0
  private readonly pasts: ReadonlyMap<MarketState, MarketPast>

  constructor(
    private readonly context: CastingContext,
    private readonly paths: readonly PricePath[],
    private readonly random: RandomSource,
  ) {
    this.pasts = new Map(paths.map(({ market, past }) => [market, past]))
  }

  /** Does all that is due before `startMs`, in order of time: tasks may put further ones. */
  write(grid: readonly number[], startMs: number, openings: readonly PlannedOpening[]): void {
    const { context } = this
    this.planFunding()
    for (const opening of openings)
      context.tasks.put(opening.timeMs, () => {
        this.preparedAgents.set(opening.liquidation, openPlanned(context, opening))
      })
    for (const [at, fromMs] of grid.entries()) {
      const untilMs = grid[at + 1] ?? startMs
      this.stepMs = untilMs - fromMs
      for (const path of this.paths) {
        const timeMs = fromMs + Math.floor(this.random.unit() * 0.9 * this.stepMs)
        context.tasks.put(timeMs, () => this.step(path, timeMs))
      }
      context.runTasks(untilMs - 1)
      if (this.random.chance((0.5 * this.stepMs) / HOUR_MS)) context.transfers.run(untilMs - 1)
    }
  }

  private planFunding(): void {
    const { tasks, funding } = this.context
    for (const path of this.paths)
      for (const hour of path.funding)
        tasks.put(hour.timeMs, () => funding.recordPast(path.market, hour))
  }

  private step({ market, past }: PricePath, timeMs: number): void {
    const { context, random } = this
    const px = past.pxAt(timeMs)
    market.px = px
    const oracle = market.onTick(raw(px) / (1 + raw(market.premium) / 1e10))
    if (market.isPerp) context.markPrices.mark(market, timeMs, px, oracle)
    for (const holding of context.afterPriceMove(market, timeMs)) this.close(holding, timeMs)
    if (random.chance(0.07)) context.passiveOrders.placeAway(market, timeMs, 4 * 24 * HOUR_MS)
    const pace = Math.min(1, this.stepMs / 900_000)
    if (random.chance(0.06 * pace))
      context.twaps.start(market, timeMs, (4 * this.stepMs) / 60_000, 720)
    const program = random.chance(0.5) ? context.twaps.slice(market, null, ZERO, timeMs) : undefined
    if (program) {
      const left = subtract(program.sz, program.executedSz)
      const slices = Math.max(1, ((program.stopMs - timeMs) / this.stepMs) * 0.4)
      const holding = context.ledger.holding(program.owner, market)
      const maxSz = program.reduceOnly ? lesser(left, absolute(holding.sz)) : left
      const sz = lesser(maxSz, market.sizeFor(market.value(left) / slices))
      this.trade(holding, program.side, sz, timeMs, program)
    } else this.ordinaryActivity(market, timeMs)
    market.px = px
  }

  private ordinaryActivity(market: MarketState, timeMs: number): void {
    const { context, random } = this
    const exiting = random.chance(0.55)
      ? context.counterparties.exiting(market, null, timeMs)
      : undefined
    if (exiting) return this.close(exiting, timeMs)
    const draw = random.unit()
    const { tradeUsd, usdPerSecond } = market.survey
    const noise = Math.exp(0.9 * random.normal())
    const turnover = Math.max((usdPerSecond * this.stepMs) / 1000, 3 * tradeUsd)
    const usd = noise * (draw < 0.4 ? tradeUsd : draw < 0.7 ? 5 * tradeUsd : 2 * turnover)
    const holding = context.counterparties.historyTaker(market, usd, timeMs)
    if (!holding) return
    const { wealthUsd } = holding.account.agent
    const sz = market.sizeFor(Math.min(usd, 1.5 * wealthUsd))
    if (holding.sz === ZERO) return this.trade(holding, random.chance(0.5) ? 'B' : 'A', sz, timeMs)
    const grows = market.value(absolute(holding.sz)) < 2 * wealthUsd && random.chance(0.3)
    const side = holding.sz > ZERO === grows ? 'B' : 'A'
    const left = absolute(holding.sz)
    const closesAll = left <= sz || (market.isPerp && random.chance(0.4))
    this.trade(holding, side, !grows && closesAll ? left : sz, timeMs)
  }

  private close(holding: Holding, timeMs: number): void {
    const left = absolute(holding.sz)
    const lot = raw(holding.market.survey.lot)
    const half = size(Math.floor(raw(left) / 2 / lot) * lot)
    const sz = half > ZERO && this.random.chance(0.2) ? half : left
    this.trade(holding, holding.sz > ZERO ? 'A' : 'B', sz, timeMs)
    // An owner who closed only half plans to close the other half as well.
    if (holding.sz !== ZERO)
      holding.market.planExit(holding, timeMs + Math.floor(logUniform(this.random, 6e4, HOUR_MS)))
  }

  private trade(
    taker: Holding,
    side: 'B' | 'A',
    sz: Sz,
    timeMs: number,
    program?: Parameters<CastingContext['matching']['execute']>[0]['program'],
  ): void {
    const { market } = taker
    const reduceOnly = taker.sz !== ZERO && taker.sz > ZERO === (side === 'A')
    const prints = this.prints(market, side, sz, timeMs)
    this.context.matching.execute({ market, timeMs, side, prints, taker, program, reduceOnly })
  }

  /** An order of `sz` meets one to three others, the price stepping away from it. */
  private prints(market: MarketState, side: 'B' | 'A', sz: Sz, timeMs: number): TradePrint[] {
    const past = this.pasts.get(market) as MarketPast
    const { random } = this
    const { tradeUsd } = market.survey
    const lot = raw(market.survey.lot)
    const large = market.value(sz) > 4 * tradeUsd
    const count = random.chance(large ? 0.2 : 0.06) ? random.between(2, large ? 3 : 2) : 1
    const step = market.stepAt(raw(market.px)) * (side === 'B' ? 1 : -1)
    const partSz = size(Math.floor(raw(sz) / count / lot) * lot)
    let px = market.onTick(raw(market.px) + step * random.between(0, 1))
    const prints: TradePrint[] = []
    for (let left = sz; left > ZERO; ) {
      const last = prints.length === count - 1 || partSz === ZERO
      const fillSz = last ? left : lesser(left, partSz)
      prints.push({ px: past.within(greater(px, price(1)), timeMs), sz: fillSz })
      left = subtract(left, fillSz)
      if (random.chance(0.4)) px = market.onTick(raw(px) + step)
    }
    return prints
  }
}
