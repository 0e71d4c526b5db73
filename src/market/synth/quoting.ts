import { type RandomSource, randomSourceOf } from '../../random/random-source.ts'
import type { FairPrice } from './fair-price.ts'
import type { LocalConditions } from './local-conditions.ts'
import { type MakerView, makerView, quoteWidth } from './maker-view.ts'
import { Makers } from './makers.ts'
import { CALM, type Conditions } from './market-conditions.ts'
import { type MarketState, SNAPSHOT_MS } from './market-state.ts'
import type { OrderMatching } from './order-matching.ts'
import type { PriceGrid } from './price-grid.ts'
import type { SynthBook } from './synth-book.ts'
import type { SynthEvent } from './synth-event.ts'
import type { TaskSchedule } from './task-schedule.ts'

/** A book is scaled when its depth should be so much another, as a part of one. */
const DEPTH_CHANGE = 0.15

/** When the makers of one instrument look at their quotes, and by what they quote. */
export class Quoting {
  private readonly makers: Makers
  private readonly pace: RandomSource
  private conditions = CALM

  constructor(
    private readonly state: MarketState,
    private readonly book: SynthBook,
    private readonly price: FairPrice,
    private readonly grid: PriceGrid,
    private readonly local: LocalConditions,
    private readonly matching: OrderMatching,
    private readonly schedule: TaskSchedule,
    private readonly startMs: number,
  ) {
    this.makers = new Makers(state.profile, state.makers)
    this.pace = randomSourceOf(state.pace)
  }

  /** Begins a step in which the whole market is like this. */
  begin(conditions: Conditions): void {
    this.conditions = conditions
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

  /** One refresh of the quotes; the next one is due some time later. */
  refresh(ms: number, events: SynthEvent[]): void {
    const { state, book } = this
    const speedUp = 1 + 0.6 * this.conditions.stress
    const waitMs = (state.profile.refreshMs * (0.7 + 0.6 * this.pace.unit())) / speedUp
    this.schedule.set('refresh', ms + Math.ceil(waitMs))
    this.deepen()
    this.makers.refresh(book, this.view())
    if (ms < state.snapshotMs) return this.matching.tellChanges(this.startMs + ms, events)
    state.snapshotMs += SNAPSHOT_MS
    this.matching.tellBook(this.startMs + ms, events)
  }

  /** Makes the makers look soon. */
  hasten(ms: number): void {
    this.schedule.hasten('refresh', ms + this.pace.between(40, 260))
  }

  /** What makers quote by now. */
  view(): MakerView {
    const { conditions, local, price, state } = this
    return makerView(state.profile, conditions, local, this.fair(), price.lotDollars())
  }

  /** How far the fair price is above the mid price; beyond one the quotes are stale. */
  pull(): number {
    const above = this.fair() - this.book.mid()
    const width = quoteWidth(this.conditions, this.local)
    return above / this.makers.requoteDistance(this.book, width)
  }

  /** Makers put more into their orders, or less, when an event says so. */
  private deepen(): void {
    const { state, local, book } = this
    const before = state.depth ?? local.depth
    const change = local.depth / before
    const isSmall = change < 1 + DEPTH_CHANGE && change > 1 / (1 + DEPTH_CHANGE)
    if (!isSmall) book.scale(change)
    state.depth = isSmall ? before : local.depth
  }

  private fair(): number {
    return this.grid.tickAt(this.price.units())
  }
}
