import { MINUTE_MS } from '../../clock/durations.ts'
import { DerivativeMetrics } from './derivative-metrics.ts'
import type { EventEffects } from './effects/event-effects.ts'
import { FairPrice } from './fair-price.ts'
import { ForcedFlow } from './forced-flow.ts'
import type { LocalConditions } from './local-conditions.ts'
import { CALM, type Conditions, STEP_MS } from './market-conditions.ts'
import type { LiquidationCascade } from './market-regime.ts'
import type { MarketState } from './market-state.ts'
import { OrderMatching } from './order-matching.ts'
import { priceGrid } from './price-grid.ts'
import { Publications } from './publications.ts'
import { Quoting } from './quoting.ts'
import type { SubmittedOrder } from './submitted-order.ts'
import { SynthBook } from './synth-book.ts'
import type { SynthEvent } from './synth-event.ts'
import { Takers } from './takers.ts'
import { PUBLISH_MS, type Task, TaskSchedule } from './task-schedule.ts'

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
    if (book.isThin(order.side)) return quoting.refresh(ms, events)
    this.metrics.onTrade(order.lots)
    // Makers requote soon after the best price has gone.
    if (this.matching.match(this.setting.startMs + ms, order, events)) quoting.hasten(ms)
  }
}
