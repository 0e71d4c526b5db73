import { HOUR_MS, MINUTE_MS } from '../../../clock/instant.ts'
import {
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
import { BAR_MS } from '../../bars/past-bars.ts'
import type { Agent } from '../agents/agents.ts'
import { beginTrading } from '../agents/population.ts'
import type { CastingContext } from '../casting-context.ts'
import type { Holding, MarketState, PriceAlarm, SubAccount } from '../market/market-state.ts'
import { halfSpread } from '../market/market-state.ts'
import { liquidate } from '../matching/liquidation-run.ts'
import type { TakerOrder, TradePrint } from '../matching/order-manager.ts'
import type { PlannedLiquidation } from '../survey/tape-survey.ts'
import type { Quotes, Venue, Wish } from '../venue.ts'
import type { MarketPast } from './past.ts'
import { openPlanned, type PlannedOpening } from './planned-liquidation.ts'
import type { PricePath } from './price-path.ts'

/** Mean time between passive orders in each instrument. */
const PASSIVE_MS = 1.3 * HOUR_MS
/** Interval of margin checks: funding and other positions change margins slowly. */
const MARGIN_MS = 4 * HOUR_MS

/** Fraction of the past after which `onMost` is called. */
const MOST = 0.75

/** Casts the days before the tape: the traders act, and the crowd is the counterparty. */
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
   * Runs all tasks due before `startMs`, in order of time; tasks may schedule further ones.
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

/** Price impact of an order as large as a minute's turnover, in deviations of a minute. */
const IMPACT = 0.35
const PRINTS_MAX = 4

/** The venue before the tape: all agents trade with the crowd, inside the bar of the minute. */
class CrowdVenue implements Venue {
  readonly marginFloor = 1
  readonly firesTriggers = false

  constructor(
    private readonly context: CastingContext,
    private readonly pasts: ReadonlyMap<MarketState, MarketPast>,
    private readonly random: RandomSource,
  ) {}

  updatePrice(market: MarketState, timeMs: number): void {
    const past = this.pasts.get(market)
    if (past) market.px = past.pxAt(timeMs)
  }

  submit(wish: Wish, timeMs: number): void {
    const { holding, side, sz, limitPx, order, reduceOnly, program } = wish
    const { market } = holding
    this.updatePrice(market, timeMs)
    if (limitPx === null) {
      const taken = { market, timeMs, side, taker: holding, program, reduceOnly, prints: [] }
      this.take(taken, sz)
      return
    }
    const px = this.past(market).within(limitPx, timeMs)
    const met = side === 'B' ? lesser(px, limitPx) : greater(px, limitPx)
    const { matching } = this.context
    matching.meetCrowd({ holding, timeMs, side, px: met, sz, reduceOnly, order })
  }

  quote({ holding, bid, ask }: Quotes, timeMs: number): void {
    const { market } = holding
    const past = this.past(market)
    const buys = this.random.unit() < past.boughtShare(timeMs)
    const { px, sz } = buys ? ask : bid
    if (sz <= ZERO) return
    const side = buys ? 'A' : 'B'
    const at = past.within(px, timeMs)
    this.context.matching.meetCrowd({ holding, timeMs, side, px: at, sz, reduceOnly: false })
  }

  arm(market: MarketState, alarm: PriceAlarm, timeMs: number): void {
    const past = this.pasts.get(market)
    const reachedMs = past?.reachedMs(alarm.px, alarm.above, timeMs)
    if (reachedMs === undefined) market.alarms.put(alarm)
    else this.runAt(market, alarm, reachedMs)
  }

  /** Runs the alarms that the minute from an instant on reaches, each at its time. */
  beginMinute(timeMs: number): void {
    for (const [market, past] of this.pasts) {
      const { bars } = past
      const minute = past.minuteOf(timeMs)
      const [low, high] = [bars.low[minute] as number, bars.high[minute] as number]
      for (let alarm = market.alarms.take(low, high); alarm; alarm = market.alarms.take(low, high))
        this.runAt(market, alarm, past.reachedMs(alarm.px, alarm.above, timeMs) ?? timeMs)
      market.memory.add(bars.close[minute] as number)
    }
  }

  enforceMargin(account: SubAccount, isolated: Holding | null, timeMs: number): void {
    liquidate(this.context, account, isolated, timeMs, (order, sz) => this.take(order, sz))
  }

  private runAt(market: MarketState, alarm: PriceAlarm, timeMs: number): void {
    this.context.tasks.put(timeMs, (_, runMs) => {
      this.updatePrice(market, runMs)
      alarm.run(runMs)
    })
  }

  private take(order: TakerOrder, sz: Sz) {
    const prints = this.prints(order.market, order.side, sz, order.timeMs)
    return this.context.matching.execute({ ...order, prints, fromCrowd: true })
  }

  /** Splits an order into prints at prices that step away from it. */
  private prints(market: MarketState, side: 'B' | 'A', sz: Sz, timeMs: number): TradePrint[] {
    const { random } = this
    const { tradeUsd, usdPerSecond } = market.survey
    const value = market.value(sz)
    const lot = raw(market.survey.lot)
    const parts = 1 + Math.floor(Math.log2(1 + value / (8 * tradeUsd)) * random.unit())
    const count = Math.min(PRINTS_MAX, parts)
    const deviation = market.memory.deviation(MINUTE_MS)
    const slip = IMPACT * deviation * Math.sqrt(value / (60 * usdPerSecond))
    const spread = halfSpread(market)
    const partSz = size(Math.floor(raw(sz) / count / lot) * lot)
    const prints: TradePrint[] = []
    for (let left = sz; left > ZERO; ) {
      const last = prints.length === count - 1 || partSz === ZERO
      const fillSz = last ? left : lesser(left, partSz)
      const away = spread + (slip * (prints.length + 0.5)) / count
      const px = market.onTick(raw(market.px) * (side === 'B' ? 1 + away : 1 - away))
      prints.push({ px: this.past(market).within(greater(px, price(1)), timeMs), sz: fillSz })
      left = subtract(left, fillSz)
    }
    return prints
  }

  private past(market: MarketState): MarketPast {
    return this.pasts.get(market) as MarketPast
  }
}
