import { pow10 } from '../../decimal/scaled.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { EventDraft } from '../tape-event.ts'
import { DerivativeMetrics } from './derivative-metrics.ts'
import { EventWriter } from './event-writer.ts'
import { FairPrice } from './fair-price.ts'
import type { InstrumentProfile } from './instrument-profiles.ts'
import { makerFills } from './maker-fills.ts'
import { Makers, type MakerView, makerView } from './makers.ts'
import { type Conditions, STEP_MS } from './market-conditions.ts'
import type { LiquidationCascade } from './market-regimes.ts'
import { type PlannedLiquidation, plannedLiquidations } from './planned-liquidations.ts'
import { type PriceGrid, priceGrid } from './price-grid.ts'
import { type BookSide, SynthBook } from './synth-book.ts'
import { Takers } from './takers.ts'
import { type Task, TaskSchedule } from './task-schedule.ts'

const PUBLISH_MS = { mark: 3000, interest: 30_000, snapshot: 60_000, funding: 3_600_000 }

/** How stale quotes must be for their makers to requote at once. */
const REQUOTE_MOVE = 1

/** One instrument's market: its book, makers and takers, and what it publishes. */
export class SynthMarket {
  readonly price: FairPrice
  private readonly grid: PriceGrid
  private readonly book = new SynthBook()
  private readonly makers: Makers
  private readonly takers: Takers
  private readonly metrics: DerivativeMetrics
  private readonly events: EventWriter
  private readonly pace: RandomSource
  private readonly splits: RandomSource
  private readonly schedule: TaskSchedule
  private snapshotMs: number
  private arrivals: number[] = []
  private liquidations: PlannedLiquidation[] = []
  private plannedUntilMs = 0
  private lastTick = 0
  private conditions: Conditions = { move: 0, volatility: 1, quiet: 0, stress: 0, driftPerS: 0 }

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly random: RandomSource,
    nextTid: () => number,
    private readonly startMs: number,
    leader?: SynthMarket,
  ) {
    this.price = new FairPrice(profile, random.fork('price'), leader?.price)
    this.grid = priceGrid(profile.pxDecimals)
    this.makers = new Makers(profile, random.fork('makers'))
    this.takers = new Takers(profile, random.fork('takers'))
    this.pace = random.fork('pace')
    this.splits = random.fork('splits')
    const interest = Math.round(profile.interestUsd / this.lotUsd())
    this.metrics = new DerivativeMetrics(profile, this.grid, random.fork('gauges'), interest)
    this.events = new EventWriter(profile, this.grid, nextTid)
    this.schedule = new TaskSchedule(
      profile.kind === 'perp',
      this.pace.between(1, profile.refreshMs),
    )
    this.snapshotMs = this.pace.between(0.4 * PUBLISH_MS.snapshot, PUBLISH_MS.snapshot)
  }

  /** The first book. */
  open(): EventDraft {
    this.makers.open(this.book, this.view())
    this.lastTick = this.book.best('bids')
    this.book.changes()
    return this.events.levels('book', this.startMs, this.book)
  }

  /** What happens in the step that begins `fromMs` after the start, in order of time. */
  step(fromMs: number, conditions: Conditions, cascade: LiquidationCascade): EventDraft[] {
    this.conditions = conditions
    this.price.step(conditions)
    this.planLiquidations(cascade)
    const pull = this.pull()
    if (Math.abs(pull) > REQUOTE_MOVE) this.requoteNow(fromMs)
    this.arrivals = this.takers.arrivals(conditions, pull).map((ms) => fromMs + ms)
    this.schedule.set('order', this.arrivals.shift())
    const events: EventDraft[] = []
    for (;;) {
      const { task, ms } = this.schedule.next()
      if (ms >= fromMs + STEP_MS) return events
      events.push(...this.run(task, ms))
    }
  }

  private run(task: Task, ms: number): EventDraft[] {
    if (task === 'liquidation') return this.liquidate(ms)
    if (task === 'order') return this.order(ms)
    if (task === 'refresh') return this.refresh(ms)
    const [time, { coin }] = [this.startMs + ms, this.profile]
    const overdueMs = task === 'funding' ? time % PUBLISH_MS.funding : 0
    this.schedule.set(task, ms + PUBLISH_MS[task] - overdueMs)
    if (task === 'mark') return [this.mark(time)]
    if (task === 'funding') return [{ time, kind: task, coin, data: this.metrics.funding() }]
    return [{ time, kind: task, coin, data: this.metrics.openInterest() }]
  }

  private refresh(ms: number): EventDraft[] {
    const speedUp = 1 + 0.6 * this.conditions.stress
    const waitMs = (this.profile.refreshMs * (0.7 + 0.6 * this.pace.unit())) / speedUp
    this.schedule.set('refresh', ms + Math.ceil(waitMs))
    this.makers.refresh(this.book, this.view())
    const change = this.book.changes()
    if (ms >= this.snapshotMs) {
      this.snapshotMs += PUBLISH_MS.snapshot
      return [this.events.levels('book', this.startMs + ms, this.book)]
    }
    return change ? [this.events.levels('delta', this.startMs + ms, change)] : []
  }

  private order(ms: number): EventDraft[] {
    this.schedule.set('order', this.arrivals.shift())
    const { side, lots } = this.takers.order(this.book, this.view(), this.pull(), this.conditions)
    if (this.book.isThin(side)) return this.refresh(ms)
    this.metrics.onTrade(lots)
    return this.match(ms, side, lots).events
  }

  /** A liquidation: the mark that triggers it, the liquidation itself, and its trades. */
  private liquidate(ms: number): EventDraft[] {
    const plan = this.liquidations.shift()
    this.schedule.set('liquidation', this.liquidations[0]?.atMs)
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
    const time = this.startMs + ms
    const best = this.book.best(side)
    const taken = this.book.take(side, lots)
    this.lastTick = taken.at(-1)?.tick ?? this.lastTick
    const fills = taken.flatMap((level) => makerFills(level, this.splits))
    const trades = this.events.trades(time, side, fills)
    const change = this.book.changes()
    const deltas = change ? [this.events.levels('delta', time, change)] : []
    const levels = (lots * this.lotUsd()) / this.profile.levelUsd
    this.price.onTrade(side === 'asks' ? 1 : -1, levels)
    // Makers requote soon after the best price has gone.
    if (this.book.best(side) !== best) this.requoteNow(ms)
    return { events: [...trades, ...deltas], tids: trades.map(({ data }) => data.tid) }
  }

  /** Makes the makers requote soon. */
  private requoteNow(ms: number): void {
    this.schedule.hasten('refresh', ms + this.pace.between(40, 260))
  }

  private mark(time: number): EventDraft & { kind: 'mark' } {
    const data = this.metrics.mark(this.price.units(), this.book, this.lastTick)
    return { time, kind: 'mark', coin: this.profile.coin, data }
  }

  private planLiquidations(cascade: LiquidationCascade): void {
    if (cascade.toMs <= this.plannedUntilMs) return
    this.plannedUntilMs = cascade.toMs
    const random = this.random.fork(`forced ${cascade.fromMs}`)
    this.liquidations = plannedLiquidations(this.profile, cascade, this.lotUsd(), random)
    this.schedule.set('liquidation', this.liquidations[0]?.atMs)
  }

  private view(): MakerView {
    return makerView(this.profile, this.conditions, this.fair(), this.lotUsd())
  }

  private fair(): number {
    return this.grid.tickAt(this.price.units())
  }

  /** How far the fair price is above the mid price; beyond one the quotes are stale. */
  private pull(): number {
    const above = this.fair() - this.book.mid()
    return above / this.makers.requoteDistance(this.book)
  }

  private lotUsd(): number {
    return this.price.dollars() / pow10(this.profile.szDecimals)
  }
}
