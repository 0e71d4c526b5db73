import { type RandomSource, randomSource, randomSourceOf } from '../../random/random-source.ts'
import { DerivativeMetrics } from './derivative-metrics.ts'
import { FairPrice } from './fair-price.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import type { LocalConditions } from './local-conditions.ts'
import { type MakerView, makerView, quoteWidth } from './maker-view.ts'
import { Makers } from './makers.ts'
import { CALM, type Conditions, STEP_MS } from './market-conditions.ts'
import type { LiquidationCascade } from './market-regime.ts'
import { type MarketState, SNAPSHOT_MS } from './market-state.ts'
import { OrderMatching } from './order-matching.ts'
import { plannedLiquidations } from './planned-liquidations.ts'
import { type PriceGrid, priceGrid } from './price-grid.ts'
import { Publications } from './publications.ts'
import type { SubmittedOrder } from './submitted-order.ts'
import { type BookSide, SynthBook } from './synth-book.ts'
import type { SynthEvent } from './synth-event.ts'
import { Takers } from './takers.ts'
import { PUBLISH_MS, type Task, TaskSchedule } from './task-schedule.ts'

/** How stale quotes must be for their makers to requote at once. */
const REQUOTE_MOVE = 1

/** One instrument's market: its book, makers and takers, and what it publishes. */
export class SynthMarket {
  readonly price: FairPrice
  private readonly profile: InstrumentProfile
  private readonly grid: PriceGrid
  private readonly book: SynthBook
  private readonly makers: Makers
  private readonly takers: Takers
  private readonly metrics: DerivativeMetrics
  private readonly matching: OrderMatching
  private readonly publications: Publications
  private readonly pace: RandomSource
  private readonly schedule: TaskSchedule
  private conditions = CALM

  /** `key` is what the state was made from; a market that follows another one names it. */
  constructor(
    private readonly state: MarketState,
    private readonly key: string,
    private readonly startMs: number,
    private readonly local: LocalConditions,
    leader?: SynthMarket,
  ) {
    const { profile } = state
    this.profile = profile
    this.price = new FairPrice(profile, state.price, leader?.price)
    this.grid = priceGrid(profile)
    this.book = new SynthBook(state.book)
    this.makers = new Makers(profile, state.makers)
    this.takers = new Takers(profile, state.takers)
    this.pace = randomSourceOf(state.pace)
    this.metrics = new DerivativeMetrics(this.grid, state.metrics)
    this.matching = new OrderMatching(state, this.book, this.price, this.grid)
    const parts = [state, this.book, this.price, this.metrics, local] as const
    this.publications = new Publications(...parts)
    this.schedule = new TaskSchedule(state.schedule)
  }

  /** Adds the first book, or the levels that were missing in the one that there is. */
  open(events: SynthEvent[]): void {
    const { book, state, matching, startMs } = this
    const isFirst = book.count('bids') + book.count('asks') === 0
    this.local.at(startMs)
    this.makers.open(book, this.view())
    if (!isFirst) return matching.tellChanges(startMs, events)
    state.lastTick = book.best('bids')
    matching.tellBook(startMs, events)
  }

  /** Adds what happens in the step that begins `fromMs` after the start, in order of time. */
  step(
    fromMs: number,
    conditions: Conditions,
    cascade: LiquidationCascade | null,
    events: SynthEvent[],
  ): void {
    const { local } = this
    local.at(this.startMs + fromMs)
    this.conditions = conditions
    this.price.step(conditions, local.volatility)
    if (cascade) this.planLiquidations(cascade, fromMs)
    const pull = this.pull()
    if (Math.abs(pull) > REQUOTE_MOVE) this.requoteNow(fromMs)
    this.takers.arrive(conditions, pull, local.activity)
    this.awaitOrder(fromMs)
    for (;;) {
      const next = this.schedule.next(fromMs + STEP_MS)
      if (next === null) return
      this.run(next.task, next.ms, fromMs, events)
    }
  }

  /** Matches an order from outside as far as the book reaches. */
  submit(ms: number, submitted: SubmittedOrder, events: SynthEvent[]): void {
    const { tag, liquidates } = submitted
    const side: BookSide = submitted.side === 'B' ? 'asks' : 'bids'
    if (this.book.isThin(side)) this.refresh(ms, events)
    const available = this.book.sizeWithin(side, Number.POSITIVE_INFINITY)
    const lots = Math.min(submitted.lots, available)
    if (liquidates) this.metrics.onLiquidation(lots)
    else this.metrics.onTrade(lots)
    const order = { side, lots, tag }
    if (this.matching.match(this.startMs + ms, order, events)) this.requoteNow(ms)
  }

  private run(task: Task, ms: number, fromMs: number, events: SynthEvent[]): void {
    if (task === 'liquidation') return this.liquidate(ms, events)
    if (task === 'order') {
      this.awaitOrder(fromMs)
      return this.order(ms, events)
    }
    if (task === 'refresh') return this.refresh(ms, events)
    const timeMs = this.startMs + ms
    const overdueMs = task === 'funding' ? timeMs % PUBLISH_MS.funding : 0
    this.schedule.set(task, ms + PUBLISH_MS[task] - overdueMs)
    events.push(this.publications.of(task, timeMs))
  }

  private awaitOrder(fromMs: number): void {
    const ms = this.takers.nextArrivalMs()
    this.schedule.set('order', ms === undefined ? undefined : fromMs + ms)
  }

  private refresh(ms: number, events: SynthEvent[]): void {
    const { state, book } = this
    const speedUp = 1 + 0.6 * this.conditions.stress
    const waitMs = (this.profile.refreshMs * (0.7 + 0.6 * this.pace.unit())) / speedUp
    this.schedule.set('refresh', ms + Math.ceil(waitMs))
    this.makers.refresh(book, this.view())
    if (ms < state.snapshotMs) return this.matching.tellChanges(this.startMs + ms, events)
    state.snapshotMs += SNAPSHOT_MS
    this.matching.tellBook(this.startMs + ms, events)
  }

  private order(ms: number, events: SynthEvent[]): void {
    const order = this.takers.order(this.book, this.view(), this.pull(), this.conditions)
    if (this.book.isThin(order.side)) return this.refresh(ms, events)
    this.metrics.onTrade(order.lots)
    // Makers requote soon after the best price has gone.
    if (this.matching.match(this.startMs + ms, order, events)) this.requoteNow(ms)
  }

  /** A liquidation: the mark that triggers it, the liquidation itself, and its trades. */
  private liquidate(ms: number, events: SynthEvent[]): void {
    const { liquidations } = this.state
    const plan = liquidations.shift()
    this.schedule.set('liquidation', liquidations[0]?.atMs)
    if (!plan) return
    const { position } = plan
    const side: BookSide = position === 'long' ? 'bids' : 'asks'
    if (this.book.isThin(side)) this.refresh(ms, events)
    const lots = Math.min(plan.lots, this.book.sizeWithin(side, Number.POSITIVE_INFINITY))
    const [timeMs, { coin }] = [this.startMs + ms, this.profile]
    const published = this.publications.mark(timeMs)
    const { mark } = published
    const tids: number[] = []
    events.push(published, { kind: 'liquidation', timeMs, coin, position, lots, mark, tids })
    if (this.matching.match(timeMs, { side, lots, tids }, events)) this.requoteNow(ms)
    this.metrics.onLiquidation(lots)
  }

  /** Makes the makers requote soon. */
  private requoteNow(ms: number): void {
    this.schedule.hasten('refresh', ms + this.pace.between(40, 260))
  }

  private planLiquidations(cascade: LiquidationCascade, nowMs: number): void {
    const { state } = this
    if (cascade.toMs <= state.plannedUntilMs) return
    state.plannedUntilMs = cascade.toMs
    const random = randomSource(this.key, `forced ${cascade.fromMs}`)
    const planned = plannedLiquidations(this.profile, cascade, this.price.lotDollars(), random)
    state.liquidations = planned.filter(({ atMs }) => atMs >= nowMs)
    this.schedule.set('liquidation', state.liquidations[0]?.atMs)
  }

  private view(): MakerView {
    const { profile, conditions, local, price } = this
    return makerView(profile, conditions, local, this.fair(), price.lotDollars())
  }

  private fair(): number {
    return this.grid.tickAt(this.price.units())
  }

  /** How far the fair price is above the mid price; beyond one the quotes are stale. */
  private pull(): number {
    const above = this.fair() - this.book.mid()
    return above / this.makers.requoteDistance(this.book, quoteWidth(this.conditions))
  }
}
