import { type RandomSource, type RandomState, randomSourceOf } from '../../random/random-source.ts'
import { BookShape, roundness } from './book-shape.ts'
import { exponential, lognormal, poisson, roundLots } from './distributions.ts'
import type { FairPrice } from './fair-price.ts'
import { type InstrumentProfile, volatilityBp } from './instrument-profile.ts'
import type { LocalConditions } from './local-conditions.ts'
import { type MakerView, makerView, quoteWidth } from './maker-view.ts'
import { CALM, type Conditions } from './market-conditions.ts'
import { type MarketState, SNAPSHOT_MS } from './market-state.ts'
import type { OrderMatching } from './order-matching.ts'
import { type PriceGrid, tickBp } from './price-grid.ts'
import {
  BOOK_SIDES,
  type BookSide,
  OUTWARD_STEP,
  type SynthBook,
  type SynthLevel,
} from './synth-book.ts'
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
    return Math.max(1, this.grid.tickAt(this.price.units()))
  }
}

/** Orders that come, go or change in one refresh. */
const CHANGES = { least: 1, mean: 2.4 }
/** Quotes are not moved while the fair price is as near as it comes in so many seconds. */
const REQUOTE_S = 1.3
/** A refresh adds a further order for so many levels that are missing. */
const MISSING_LEVELS = 8
/** Levels that are put at most where the price has run through. */
const APPROACH_LEVELS = 12
const ORDERS_MOST = 60
/** Orders that are put again at once, of those that a move has made their makers cancel. */
const REQUOTED_MOST = 80

/** The makers of one instrument: they keep the book around the fair price. */
class Makers {
  private readonly random: RandomSource
  private readonly shape: BookShape
  private readonly band: number

  constructor(
    private readonly profile: InstrumentProfile,
    state: RandomState,
  ) {
    this.random = randomSourceOf(state)
    this.shape = new BookShape(profile)
    this.band = Math.max(
      0.6 + 0.35 * profile.spreadTicks,
      (volatilityBp(profile) * REQUOTE_S ** 0.5) / tickBp(profile),
    )
  }

  /** Fills a book as far out as makers quote, beyond the levels that it has. */
  open(book: SynthBook, view: MakerView): void {
    const touch = this.touchOf(book, view)
    for (const side of BOOK_SIDES) {
      const last = book.level(side, book.count(side) - 1)
      if (!last) book.put(side, this.draw(touch[side], 0, view))
      for (let distance = last ? Math.abs(last.tick - touch[side]) : 0; ; ) {
        const mean = this.shape.gap(distance) - 1
        distance += 1 + Math.floor(mean > 0.01 ? exponential(this.random, mean + 0.4) : 0)
        if (distance > this.shape.extent) break
        const tick = this.chosen(touch[side], side, distance)
        if (book.levelAt(side, tick) === undefined) book.put(side, this.draw(tick, distance, view))
      }
    }
  }

  /** The best ticks of a book, or where they should be. */
  private touchOf(book: SynthBook, view: MakerView): Record<BookSide, number> {
    const [bid, ask] = [book.level('bids', 0)?.tick, book.level('asks', 0)?.tick]
    const wanted = Math.floor(view.fair - (view.spread - 1) / 2)
    const toBid = bid ?? Math.max(1, Math.min(wanted, (ask ?? wanted + view.spread) - view.spread))
    return { bids: toBid, asks: ask ?? toBid + view.spread }
  }

  /** One refresh of the quotes: the touch follows the price, orders come and go. */
  refresh(book: SynthBook, view: MakerView): void {
    this.retouch(book, view)
    const count = CHANGES.least + poisson(this.random, CHANGES.mean * view.pace)
    for (let change = 0; change < count; change++)
      this.change(book, this.random.pick(BOOK_SIDES), view)
    for (const side of BOOK_SIDES) this.restock(book, side, view)
  }

  /** Levels come back where the price has used them up, the faster the more are missing. */
  private restock(book: SynthBook, side: BookSide, view: MakerView): void {
    const missing = this.profile.levels - book.count(side)
    // What the price has left far behind is given up.
    for (let over = view.surplus * this.profile.levels; over < -missing; over *= 1.15)
      book.cancelLast(side)
    for (let added = 0; added < missing; added += MISSING_LEVELS) {
      const distance = this.shape.spread(this.random)
      const tick = this.chosen(book.best(side), side, distance)
      if (!book.levelAt(side, tick)) book.put(side, this.draw(tick, distance, view))
    }
  }

  /** How far the fair price may be from the mid price, in ticks, before quotes are moved. */
  requoteDistance(book: SynthBook, width: number): number {
    return (book.best('asks') - book.best('bids')) / 2 + this.band * width
  }

  /** Moves the touch when the fair price has left it or the spread has become too wide. */
  private retouch(book: SynthBook, view: MakerView): void {
    const [bid, ask] = [book.best('bids'), book.best('asks')]
    const most = view.spread + Math.floor(this.profile.spreadTicks * 0.4)
    const isStale = Math.abs(view.fair - book.mid()) > this.requoteDistance(book, view.width)
    if (!isStale && ask - bid <= most) return
    const wanted = Math.max(1, Math.floor(view.fair - (view.spread - 1) / 2))
    // A touch that has been taken is refilled where it was, as far as the fair price allows.
    const kept = Math.max(bid, Math.min(wanted, ask - view.spread))
    const toBid = isStale ? wanted : kept
    const toAsk = isStale ? wanted + view.spread : Math.min(ask, kept + view.spread)
    const bids = book.cancelStale('bids', (tick) => tick > toBid)
    const asks = book.cancelStale('asks', (tick) => tick < toAsk)
    this.approach(book, 'bids', toBid, view)
    this.approach(book, 'asks', toAsk, view)
    // The price has gone farther than the book reached.
    if (book.count('bids') === 0 || book.count('asks') === 0) this.open(book, view)
    if (view.requotes) {
      this.requote(book, 'bids', bids, view)
      this.requote(book, 'asks', asks, view)
    }
  }

  /** So many orders that were cancelled come back around the new price. */
  private requote(book: SynthBook, side: BookSide, cancelled: number, view: MakerView): void {
    for (let back = Math.min(cancelled, REQUOTED_MOST); back > 0; back--) {
      const distance = this.shape.draw(this.random)
      const tick = this.chosen(book.best(side), side, distance)
      if (!book.levelAt(side, tick)) book.put(side, this.draw(tick, distance, view))
    }
  }

  /** New levels between the old best and the target price, with the usual gaps. */
  private approach(book: SynthBook, side: BookSide, target: number, view: MakerView): void {
    const outward = OUTWARD_STEP[side]
    const from = book.count(side) > 0 ? book.best(side) : target
    const distance = Math.abs(target - from)
    if (from === target) return
    // A long distance gets fewer levels: a gap that has just opened is not filled at once.
    const odds = Math.min(1, APPROACH_LEVELS / distance) / this.profile.gapTicks
    for (let tick = from - outward; (tick - target) * outward > 0; tick -= outward)
      if (this.random.chance(odds)) book.put(side, this.draw(tick, Math.abs(tick - target), view))
    book.put(side, this.draw(target, 0, view))
  }

  /** One order comes, goes or is changed, most near the touch but many far away. */
  private change(book: SynthBook, side: BookSide, view: MakerView): void {
    const { random, shape, profile } = this
    const distance = shape.draw(random) - 1
    const tick = this.chosen(book.best(side), side, distance)
    const level = book.levelAt(side, tick)
    if (level) return book.put(side, this.amended(level, distance, view))
    if (distance > 0) book.put(side, this.draw(tick, distance, view))
    const surplus = book.count(side) - profile.levels
    if (surplus <= 0) return
    // Any level but the best may go; so their distances stay as they come.
    const gone = book.level(side, 1 + Math.floor(random.unit() * (book.count(side) - 1)))
    if (gone) book.put(side, { tick: gone.tick, lots: 0, orders: 0 })
  }

  private chosen(touch: number, side: BookSide, distance: number): number {
    const tick = touch + OUTWARD_STEP[side] * distance
    const chosen = this.shape.chosen(tick, distance, this.random)
    return (chosen - touch) * OUTWARD_STEP[side] > 0 ? chosen : tick
  }

  /** A new level, `distance` ticks away from the touch. */
  private draw(tick: number, distance: number, view: MakerView): SynthLevel {
    const { random, profile } = this
    const usd = profile.levelUsd * view.depth * this.shape.size(distance) * roundness(tick)
    const size = lognormal(random, usd * 0.5, 1.15)
    const lots = roundLots(random, Math.max(size, 11) / view.lotUsd)
    const others = poisson(random, Math.min(ORDERS_MOST, (2.2 * size) / profile.levelUsd))
    return { tick, lots, orders: 1 + Math.min(ORDERS_MOST, others) }
  }

  /** The level after one order joined it, left it or took another's place. */
  private amended(level: SynthLevel, distance: number, view: MakerView): SynthLevel {
    const { random } = this
    const { tick, lots, orders } = level
    if (orders === 1 || random.chance(0.35)) return this.draw(tick, distance, view)
    const part = Math.max(1, roundLots(random, (lots / orders) * (0.4 + random.unit())))
    if (random.chance(0.5) && part < lots) return { tick, lots: lots - part, orders: orders - 1 }
    return { tick, lots: lots + part, orders: orders + 1 }
  }
}
