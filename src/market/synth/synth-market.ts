import { MINUTE_MS } from '../../clock/durations.ts'
import { randomSource } from '../../random/random-source.ts'
import { DerivativeMetrics } from './derivative-metrics.ts'
import type { EventEffects } from './effects/event-effects.ts'
import type { ForcedOrder } from './effects/forced-order.ts'
import { FairPrice } from './fair-price.ts'
import type { LocalConditions } from './local-conditions.ts'
import { CALM, type Conditions, STEP_MS } from './market-conditions.ts'
import type { LiquidationCascade } from './market-regime.ts'
import type { MarketState } from './market-state.ts'
import { OrderMatching } from './order-matching.ts'
import { type PlannedLiquidation, plannedLiquidations } from './planned-liquidations.ts'
import { priceGrid, tickBp } from './price-grid.ts'
import { Quoting } from './quoting.ts'
import type { SubmittedOrder } from './submitted-order.ts'
import { type BookSide, OUTWARD_STEP, SynthBook } from './synth-book.ts'
import type { SynthEvent, SynthMark, TakerSide } from './synth-event.ts'
import { Takers } from './takers.ts'
import { PUBLISH_MS, type Task, TaskSchedule } from './task-schedule.ts'
import { UsualLiquidations } from './usual-liquidations.ts'

/** What a perpetual's venue publishes of it, as events. */
class Publications {
  constructor(
    private readonly state: MarketState,
    private readonly book: SynthBook,
    private readonly price: FairPrice,
    private readonly metrics: DerivativeMetrics,
    private readonly local: LocalConditions,
  ) {}

  of(kind: 'mark' | 'interest' | 'funding', timeMs: number): SynthEvent {
    if (kind === 'mark') return this.mark(timeMs)
    const { coin } = this.state.profile
    if (kind === 'interest') return { kind, timeMs, coin, lots: this.metrics.openInterest() }
    const { rate, premium } = this.metrics.funding()
    return { kind, timeMs, coin, rate, premium }
  }

  mark(timeMs: number): SynthMark {
    const { book, state, local, price } = this
    const { mark, oracle } = this.metrics.mark(price.units(), local.premium, book, state.lastTick)
    return { kind: 'mark', timeMs, coin: state.profile.coin, mark, oracle }
  }
}

/** How far from the best price an order from outside goes, as a part of it. */
const SLIPPAGE = 0.03
/** The same of one that closes a position by force: the rest waits until the book is full again. */
const CLOSING_SLIPPAGE = 0.0025
const WHOLE_BOOK = Number.POSITIVE_INFINITY

/** Orders that an instrument's takers do not decide on: liquidations, and those from outside. */
class ForcedFlow {
  private readonly usual: UsualLiquidations | null
  /** Ticks that a price consists of, where the market began. */
  private readonly ticksOfPrice: number

  constructor(
    private readonly state: MarketState,
    private readonly book: SynthBook,
    private readonly price: FairPrice,
    private readonly metrics: DerivativeMetrics,
    private readonly matching: OrderMatching,
    private readonly quoting: Quoting,
    private readonly publications: Publications,
    private readonly schedule: TaskSchedule,
    private readonly startMs: number,
  ) {
    const { closings, profile } = state
    this.ticksOfPrice = 10_000 / tickBp(profile)
    this.usual = closings && new UsualLiquidations(profile, closings)
  }

  /** Plans the liquidations of a cascade once; `key` names what is drawn. */
  plan(cascade: LiquidationCascade, nowMs: number, key: string): void {
    const { state } = this
    if (cascade.toMs <= state.plannedUntilMs) return
    state.plannedUntilMs = cascade.toMs
    const random = randomSource(key, `forced ${cascade.fromMs}`)
    const planned = plannedLiquidations(state.profile, cascade, this.price.lotDollars(), random)
    this.add(planned.filter(({ atMs }) => atMs >= nowMs))
  }

  /** Plans those of the minute that begins now, outside cascades, if there are any. */
  planMinute(nowMs: number): void {
    const { usual, price } = this
    if (!usual) return
    const log = Math.log(price.dollars())
    this.metrics.onMinute(log)
    this.add(usual.ofMinute(nowMs, log, price.lotDollars()))
  }

  private add(planned: readonly PlannedLiquidation[]): void {
    const { state } = this
    if (planned.length === 0) return
    state.liquidations = [...state.liquidations, ...planned].sort((a, b) => a.atMs - b.atMs)
    this.schedule.set('liquidation', state.liquidations[0]?.atMs)
  }

  /** Carries out the liquidation that is due. */
  liquidateNext(ms: number, events: SynthEvent[]): void {
    const { liquidations } = this.state
    const plan = liquidations.shift()
    this.schedule.set('liquidation', liquidations[0]?.atMs)
    if (plan) this.liquidate(ms, plan.position, plan.lots, events)
  }

  /** An order from outside. */
  submit(ms: number, order: SubmittedOrder, events: SynthEvent[]): void {
    this.trade(ms, order, order.liquidates ? CLOSING_SLIPPAGE : SLIPPAGE, events)
  }

  private trade(
    ms: number,
    { side, lots, tag, liquidates }: Omit<SubmittedOrder, 'coin'>,
    slippage: number,
    events: SynthEvent[],
  ): void {
    const taken = this.takeable(ms, side, lots, slippage, events)
    if (taken.lots === 0) return
    if (liquidates) this.metrics.onLiquidation(taken.lots)
    else this.metrics.onTrade(taken.lots)
    if (this.matching.match(this.startMs + ms, { ...taken, tag }, events)) this.quoting.hasten(ms)
  }

  /** An order that a market event brings about. */
  force(ms: number, order: ForcedOrder, events: SynthEvent[]): void {
    const { side, usd, liquidates, tag } = order
    const lots = Math.max(1, Math.round(usd / this.price.lotDollars()))
    if (liquidates) this.liquidate(ms, liquidates, lots, events, tag)
    else this.trade(ms, { side, lots, tag }, WHOLE_BOOK, events)
  }

  /** A liquidation: the mark that triggers it, the liquidation itself, and its trades. */
  private liquidate(
    ms: number,
    position: 'long' | 'short',
    wanted: number,
    events: SynthEvent[],
    tag?: number,
  ): void {
    const taken = this.takeable(ms, position === 'long' ? 'A' : 'B', wanted, WHOLE_BOOK, events)
    const { lots } = taken
    if (lots === 0) return
    const timeMs = this.startMs + ms
    const published = this.publications.mark(timeMs)
    const { mark, coin } = published
    const tids: number[] = []
    events.push(published, { kind: 'liquidation', timeMs, coin, position, lots, mark, tids })
    if (this.matching.match(timeMs, { ...taken, tag, tids }, events)) this.quoting.hasten(ms)
    this.metrics.onLiquidation(lots)
  }

  /** As much of an order as the book reaches; makers refill one that is thin before. */
  private takeable(
    ms: number,
    takerSide: TakerSide,
    lots: number,
    slippage: number,
    events: SynthEvent[],
  ): { side: BookSide; lots: number } {
    const { book } = this
    const side: BookSide = takerSide === 'B' ? 'asks' : 'bids'
    if (book.isThin(side)) this.quoting.refresh(ms, events)
    const worst = book.best(side) + OUTWARD_STEP[side] * slippage * this.ticksOfPrice
    const levels = Math.max(1, book.levelsUpTo(side, worst))
    return { side, lots: Math.min(lots, book.sizeWithin(side, levels)) }
  }
}

/** How stale quotes must be for their makers to requote at once. */
const REQUOTE_MOVE = 1
/** What a halted market does nothing of. */
const TRADING: ReadonlySet<Task> = new Set(['liquidation', 'order', 'refresh'])

/** What a market is made from besides its state. */
interface MarketSetting {
  /** Names what is drawn. */
  key: string
  startMs: number
  local: LocalConditions
  /** What market events do to it; null when there are none. */
  effects: EventEffects | null
  /** The market whose price it follows. */
  leader: SynthMarket | undefined
}

/** One instrument's market: its book, makers and takers, and what it publishes. */
export class SynthMarket {
  readonly price: FairPrice
  private readonly book: SynthBook
  private readonly quoting: Quoting
  private readonly takers: Takers
  private readonly forced: ForcedFlow
  private readonly metrics: DerivativeMetrics
  private readonly matching: OrderMatching
  private readonly publications: Publications
  private readonly schedule: TaskSchedule
  private conditions = CALM
  private submitted: SubmittedOrder[] = []

  constructor(
    state: MarketState,
    private readonly setting: MarketSetting,
  ) {
    const { profile } = state
    const { local, leader, startMs } = setting
    const grid = priceGrid(profile)
    const price = new FairPrice(profile, state.price, leader?.price)
    const book = new SynthBook(state.book)
    const schedule = new TaskSchedule(state.schedule)
    const metrics = new DerivativeMetrics(grid, state.metrics)
    const matching = new OrderMatching(state, book, price, grid)
    const publications = new Publications(state, book, price, metrics, local)
    const quoting = new Quoting(state, book, price, grid, local, matching, schedule, startMs)
    const means = [matching, quoting, publications, schedule] as const
    this.forced = new ForcedFlow(state, book, price, metrics, ...means, startMs)
    this.takers = new Takers(profile, state.takers)
    this.price = price
    this.book = book
    this.schedule = schedule
    this.metrics = metrics
    this.matching = matching
    this.publications = publications
    this.quoting = quoting
  }

  /** Adds the first book, or the levels that were missing in the one that there is. */
  open(events: SynthEvent[]): void {
    this.quoting.open(events)
  }

  /** Puts an order from outside into the next step. */
  submit(order: SubmittedOrder): void {
    this.submitted.push(order)
  }

  /** Adds what happens in the step that begins `fromMs` after the start, in order of time. */
  step(
    fromMs: number,
    conditions: Conditions,
    cascade: LiquidationCascade | null,
    events: SynthEvent[],
  ): void {
    const { local, effects, startMs, key } = this.setting
    const timeMs = startMs + fromMs
    local.at(timeMs)
    this.conditions = conditions
    this.quoting.begin(conditions)
    this.price.step(conditions, local, effects?.moveBetween(timeMs, timeMs + STEP_MS) ?? 0)
    if (cascade) this.forced.plan(cascade, fromMs, key)
    if (timeMs % MINUTE_MS < STEP_MS) this.forced.planMinute(fromMs)
    if (local.halted) return this.pause(fromMs, events)
    const pull = this.quoting.pull()
    if (Math.abs(pull) > REQUOTE_MOVE) this.quoting.hasten(fromMs)
    this.takers.arrive(conditions, pull, local.activity)
    this.awaitOrder(fromMs)
    this.takeFromOutside(fromMs, events)
    this.runTasks(fromMs, events)
  }

  private takeFromOutside(fromMs: number, events: SynthEvent[]): void {
    const { effects, startMs } = this.setting
    for (const order of this.submitted) this.forced.submit(fromMs, order, events)
    this.submitted = []
    if (!effects) return
    const timeMs = startMs + fromMs
    for (const order of effects.ordersBetween(timeMs, timeMs + STEP_MS))
      this.forced.force(fromMs, order, events)
  }

  /** A step without trading: what is due in it waits, and orders from outside come to nothing. */
  private pause(fromMs: number, events: SynthEvent[]): void {
    this.submitted = []
    for (const task of TRADING) this.schedule.postpone(task, fromMs + STEP_MS)
    this.runTasks(fromMs, events)
  }

  private runTasks(fromMs: number, events: SynthEvent[]): void {
    for (;;) {
      const next = this.schedule.next(fromMs + STEP_MS)
      if (next === null) return
      this.run(next.task, next.ms, fromMs, events)
    }
  }

  private run(task: Task, ms: number, fromMs: number, events: SynthEvent[]): void {
    if (task === 'liquidation') return this.forced.liquidateNext(ms, events)
    if (task === 'order') {
      this.awaitOrder(fromMs)
      return this.order(ms, events)
    }
    if (task === 'refresh') return this.quoting.refresh(ms, events)
    const timeMs = this.setting.startMs + ms
    const overdueMs = task === 'funding' ? timeMs % PUBLISH_MS.funding : 0
    this.schedule.set(task, ms + PUBLISH_MS[task] - overdueMs)
    events.push(this.publications.of(task, timeMs))
  }

  private awaitOrder(fromMs: number): void {
    const ms = this.takers.nextArrivalMs()
    this.schedule.set('order', ms === undefined ? undefined : fromMs + ms)
  }

  private order(ms: number, events: SynthEvent[]): void {
    const { quoting, book } = this
    const order = this.takers.order(book, quoting.view(), quoting.pull(), this.conditions)
    if (book.isThin(order.side) || order.lots === 0) return quoting.refresh(ms, events)
    this.metrics.onTrade(order.lots)
    // Makers requote soon after the best price has gone.
    if (this.matching.match(this.setting.startMs + ms, order, events)) quoting.hasten(ms)
  }
}
