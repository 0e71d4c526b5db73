import { type RandomSource, randomSource, randomSourceOf } from '../../random/random-source.ts'
import type { EventDraft } from '../tape-event.ts'
import { DerivativeMetrics } from './derivative-metrics.ts'
import { EventWriter } from './event-writer.ts'
import { FairPrice } from './fair-price.ts'
import type { InstrumentProfile } from './instrument-profiles.ts'
import { makerFills } from './maker-fills.ts'
import { Makers, type MakerView, makerView, quoteWidth } from './makers.ts'
import { CALM, type Conditions, STEP_MS } from './market-conditions.ts'
import type { LiquidationCascade } from './market-regimes.ts'
import { type MarketState, SNAPSHOT_MS } from './market-state.ts'
import { plannedLiquidations } from './planned-liquidations.ts'
import { type PriceGrid, priceGrid } from './price-grid.ts'
import { type BookSide, SynthBook } from './synth-book.ts'
import { Takers } from './takers.ts'
import { type Task, TaskSchedule } from './task-schedule.ts'

const PUBLISH_MS = { mark: 3000, interest: 30_000, funding: 3_600_000 }

/** How stale quotes must be for their makers to requote at once. */
const REQUOTE_MOVE = 1

/** One instrument's market: its book, makers and takers, and what it publishes. */
export class SynthMarket {
  readonly price: FairPrice
  private readonly grid: PriceGrid
  private readonly book: SynthBook
  private readonly makers: Makers
  private readonly takers: Takers
  private readonly metrics: DerivativeMetrics
  private readonly events: EventWriter
  private readonly pace: RandomSource
  private readonly splits: RandomSource
  private readonly schedule: TaskSchedule
  private conditions = CALM

  /** `key` is what the state was made from; a market that follows another one names it. */
  constructor(
    private readonly profile: InstrumentProfile,
    private readonly state: MarketState,
    private readonly key: string,
    private readonly startMs: number,
    leader?: SynthMarket,
  ) {
    this.price = new FairPrice(profile, state.price, leader?.price)
    this.grid = priceGrid(profile.pxDecimals)
    this.book = new SynthBook(state.book)
    this.makers = new Makers(profile, state.makers)
    this.takers = new Takers(profile, state.takers)
    this.pace = randomSourceOf(state.pace)
    this.splits = randomSourceOf(state.splits)
    this.metrics = new DerivativeMetrics(profile, this.grid, state.metrics)
    this.events = new EventWriter(profile, this.grid, state.tids)
    this.schedule = new TaskSchedule(state.schedule)
  }

  /** The first book. */
  open(): EventDraft {
    this.makers.open(this.book, this.view())
    this.state.lastTick = this.book.best('bids')
    this.book.changes()
    return this.events.levels('book', this.startMs, this.book.levels())
  }

  /** Adds what happens in the step that begins `fromMs` after the start, in order of time. */
  step(
    fromMs: number,
    conditions: Conditions,
    cascade: LiquidationCascade,
    events: EventDraft[],
  ): void {
    this.conditions = conditions
    this.price.step(conditions)
    this.planLiquidations(cascade)
    const pull = this.pull()
    if (Math.abs(pull) > REQUOTE_MOVE) this.requoteNow(fromMs)
    this.takers.arrive(conditions, pull)
    this.awaitOrder(fromMs)
    for (;;) {
      const next = this.schedule.next(fromMs + STEP_MS)
      if (next === null) return
      for (const event of this.run(next.task, next.ms, fromMs)) events.push(event)
    }
  }

  private run(task: Task, ms: number, fromMs: number): EventDraft[] {
    if (task === 'liquidation') return this.liquidate(ms)
    if (task === 'order') {
      this.awaitOrder(fromMs)
      return this.order(ms)
    }
    if (task === 'refresh') return this.refresh(ms)
    const [time, { coin }] = [this.startMs + ms, this.profile]
    const overdueMs = task === 'funding' ? time % PUBLISH_MS.funding : 0
    this.schedule.set(task, ms + PUBLISH_MS[task] - overdueMs)
    if (task === 'mark') return [this.mark(time)]
    if (task === 'funding') return [{ time, kind: task, coin, data: this.metrics.funding() }]
    return [{ time, kind: task, coin, data: this.metrics.openInterest() }]
  }

  private awaitOrder(fromMs: number): void {
    const ms = this.takers.nextArrivalMs()
    this.schedule.set('order', ms === undefined ? undefined : fromMs + ms)
  }

  private refresh(ms: number): EventDraft[] {
    const { state, book, events } = this
    const speedUp = 1 + 0.6 * this.conditions.stress
    const waitMs = (this.profile.refreshMs * (0.7 + 0.6 * this.pace.unit())) / speedUp
    this.schedule.set('refresh', ms + Math.ceil(waitMs))
    this.makers.refresh(book, this.view())
    const change = book.changes()
    if (ms >= state.snapshotMs) {
      state.snapshotMs += SNAPSHOT_MS
      return [events.levels('book', this.startMs + ms, book.levels())]
    }
    return change ? [events.levels('delta', this.startMs + ms, change)] : []
  }

  private order(ms: number): EventDraft[] {
    const { side, lots } = this.takers.order(this.book, this.view(), this.pull(), this.conditions)
    if (this.book.isThin(side)) return this.refresh(ms)
    this.metrics.onTrade(lots)
    return this.match(ms, side, lots).events
  }

  /** A liquidation: the mark that triggers it, the liquidation itself, and its trades. */
  private liquidate(ms: number): EventDraft[] {
    const { liquidations } = this.state
    const plan = liquidations.shift()
    this.schedule.set('liquidation', liquidations[0]?.atMs)
    if (!plan) return []
    const side: BookSide = plan.position === 'long' ? 'bids' : 'asks'
    const before = this.book.isThin(side) ? this.refresh(ms) : []
    const lots = Math.min(plan.lots, this.book.sizeWithin(side, Number.POSITIVE_INFINITY))
    const [time, { coin }] = [this.startMs + ms, this.profile]
    const mark = this.mark(time)
    const { events, tids } = this.match(ms, side, lots)
    this.metrics.onLiquidation(lots)
    const sz = this.events.size(lots)
    const data = { position: plan.position, sz, markPx: mark.data.mark, tids }
    return [...before, mark, { time, kind: 'liquidation', coin, data }, ...events]
  }

  /** Matches a taker's order: its trades, then the changed levels. */
  private match(
    ms: number,
    side: BookSide,
    lots: number,
  ): { events: EventDraft[]; tids: number[] } {
    const { book, state } = this
    const time = this.startMs + ms
    const best = book.best(side)
    const taken = book.take(side, lots)
    state.lastTick = taken.at(-1)?.tick ?? state.lastTick
    const fills = taken.flatMap((level) => makerFills(level, this.splits))
    const trades = this.events.trades(time, side, fills)
    const change = book.changes()
    const deltas = change ? [this.events.levels('delta', time, change)] : []
    const levels = (lots * this.price.lotDollars()) / this.profile.levelUsd
    this.price.onTrade(side === 'asks' ? 1 : -1, levels)
    // Makers requote soon after the best price has gone.
    if (book.best(side) !== best) this.requoteNow(ms)
    return { events: [...trades, ...deltas], tids: trades.map(({ data }) => data.tid) }
  }

  /** Makes the makers requote soon. */
  private requoteNow(ms: number): void {
    this.schedule.hasten('refresh', ms + this.pace.between(40, 260))
  }

  private mark(time: number): EventDraft & { kind: 'mark' } {
    const data = this.metrics.mark(this.price.units(), this.book, this.state.lastTick)
    return { time, kind: 'mark', coin: this.profile.coin, data }
  }

  private planLiquidations(cascade: LiquidationCascade): void {
    const { state } = this
    if (cascade.toMs <= state.plannedUntilMs) return
    state.plannedUntilMs = cascade.toMs
    const random = randomSource(this.key, `forced ${cascade.fromMs}`)
    state.liquidations = plannedLiquidations(this.profile, cascade, this.price.lotDollars(), random)
    this.schedule.set('liquidation', state.liquidations[0]?.atMs)
  }

  private view(): MakerView {
    return makerView(this.profile, this.conditions, this.fair(), this.price.lotDollars())
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
