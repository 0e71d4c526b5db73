import { type RandomSource, type RandomState, randomSourceOf } from '../../random/random-source.ts'
import { exponential, lognormal, poisson, roundLots } from './distributions.ts'
import { type InstrumentProfile, volatilityBp } from './instrument-profile.ts'
import type { LocalConditions } from './local-conditions.ts'
import { CALM, type Conditions } from './market-conditions.ts'
import type { FairPrice } from './market-state.ts'
import { type MarketState, SNAPSHOT_MS, type TaskSchedule } from './market-state.ts'
import {
  BOOK_SIDES,
  type BookSide,
  type OrderMatching,
  OUTWARD_STEP,
  type PriceGrid,
  type PriceSteps,
  type SynthBook,
  type SynthLevel,
  tickBp,
} from './order-matching.ts'
import type { SynthEvent } from './synth-event.ts'

/** Minimum change of depth that rescales a book, as a fraction. */
const DEPTH_CHANGE = 0.15

/** Times and inputs of one instrument's quotes. */
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

  /** Begins a step with the whole market's conditions. */
  begin(conditions: Conditions): void {
    this.conditions = conditions
  }

  /** Adds the first book, or the missing levels of an existing one. */
  open(events: SynthEvent[]): void {
    const { book, state, matching, startMs } = this
    const isFirst = book.count('bids') + book.count('asks') === 0
    this.local.at(startMs)
    this.makers.open(book, this.view())
    if (!isFirst) return matching.tellChanges(startMs, events)
    state.lastTick = book.best('bids')
    matching.tellBook(startMs, events)
  }

  /** Refreshes the quotes once; schedules the next refresh. */
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

  /** Schedules a refresh soon. */
  hasten(ms: number): void {
    this.schedule.hasten('refresh', ms + this.pace.between(40, 260))
  }

  /** The makers' present inputs. */
  view(): MakerView {
    const { conditions, local, price, state } = this
    return makerView(state.profile, conditions, local, this.fair(), price.lotDollars())
  }

  /** Fair price less mid price; beyond one the quotes are stale. */
  pull(): number {
    const above = this.fair() - this.book.mid()
    const width = quoteWidth(this.conditions, this.local)
    return above / this.makers.requoteDistance(this.book, width)
  }

  /** Rescales makers' orders when an event changes the depth. */
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

/** Number of new, cancelled or changed orders in one refresh. */
const CHANGES = { least: 1, mean: 2.4 }
/** Quotes are not moved for a distance that the fair price covers in so many seconds. */
const REQUOTE_S = 1.3
/** A refresh adds a further order for so many missing levels. */
const MISSING_LEVELS = 8
/** Maximum number of levels added where the price has passed through. */
const APPROACH_LEVELS = 12
const ORDERS_MOST = 60
/** Deviation of the logarithm of a level's size: dust and blocks, except at the touch. */
const LEVEL_SIGMA = { touch: 0.7, beyond: 1.6 }
/** Below this part of its usual size the best level is refilled, with these odds in a refresh. */
const THIN_TOUCH = 0.35
const REFILL_ODDS = 0.35
/** Maximum number of orders cancelled by a move that return at once. */
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

  /** Fills a book beyond its existing levels, as far out as makers quote. */
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

  /** The best ticks of a book, or their targets. */
  private touchOf(book: SynthBook, view: MakerView): Record<BookSide, number> {
    const [bid, ask] = [book.level('bids', 0)?.tick, book.level('asks', 0)?.tick]
    const wanted = Math.floor(view.fair - (view.spread - 1) / 2)
    const toBid = bid ?? Math.max(1, Math.min(wanted, (ask ?? wanted + view.spread) - view.spread))
    return { bids: toBid, asks: ask ?? toBid + view.spread }
  }

  /** Refreshes the quotes once: moves the touch, adds and cancels orders. */
  refresh(book: SynthBook, view: MakerView): void {
    this.retouch(book, view)
    const count = CHANGES.least + poisson(this.random, CHANGES.mean * view.pace)
    for (let change = 0; change < count; change++)
      this.change(book, this.random.pick(BOOK_SIDES), view)
    for (const side of BOOK_SIDES) this.restock(book, side, view)
  }

  /** Restores levels that the price has used up, the faster the more are missing. */
  private restock(book: SynthBook, side: BookSide, view: MakerView): void {
    this.refill(book, side, view)
    const missing = this.profile.levels - book.count(side)
    // Levels that the price has left far behind are cancelled.
    for (let over = view.surplus * this.profile.levels; over < -missing; over *= 1.15)
      book.cancelLast(side)
    for (let added = 0; added < missing; added += MISSING_LEVELS) {
      const distance = this.shape.spread(this.random)
      const tick = this.chosen(book.best(side), side, distance)
      if (!book.levelAt(side, tick)) book.put(side, this.draw(tick, distance, view))
    }
  }

  /** Makers join a best level that has few orders left. */
  private refill(book: SynthBook, side: BookSide, view: MakerView): void {
    const { random, shape, profile } = this
    const best = book.level(side, 0)
    if (!best || !random.chance(REFILL_ODDS)) return
    const usual = (profile.levelUsd * view.depth * shape.size(0)) / view.lotUsd
    if (best.lots < THIN_TOUCH * usual) book.put(side, this.draw(best.tick, 0, view))
  }

  /** Distance of the fair price from the mid price, in ticks, at which quotes are moved. */
  requoteDistance(book: SynthBook, width: number): number {
    return (book.best('asks') - book.best('bids')) / 2 + this.band * width
  }

  /** Moves the touch when the fair price has left it or the spread is too wide. */
  private retouch(book: SynthBook, view: MakerView): void {
    const [bid, ask] = [book.best('bids'), book.best('asks')]
    const most = view.spread + Math.floor(this.profile.spreadTicks * 0.4)
    const isStale = Math.abs(view.fair - book.mid()) > this.requoteDistance(book, view.width)
    if (!isStale && ask - bid <= most) return
    const wanted = Math.max(1, Math.floor(view.fair - (view.spread - 1) / 2))
    // A filled touch is restored at its price, as far as the fair price allows.
    const kept = Math.max(bid, Math.min(wanted, ask - view.spread))
    const toBid = isStale ? wanted : kept
    const toAsk = isStale ? wanted + view.spread : Math.min(ask, kept + view.spread)
    const bids = book.cancelStale('bids', (tick) => tick > toBid)
    const asks = book.cancelStale('asks', (tick) => tick < toAsk)
    this.approach(book, 'bids', toBid, view)
    this.approach(book, 'asks', toAsk, view)
    // The price has moved beyond the book.
    if (book.count('bids') === 0 || book.count('asks') === 0) this.open(book, view)
    if (view.requotes) {
      this.requote(book, 'bids', bids, view)
      this.requote(book, 'asks', asks, view)
    }
  }

  /** Adds so many cancelled orders around the new price. */
  private requote(book: SynthBook, side: BookSide, cancelled: number, view: MakerView): void {
    for (let back = Math.min(cancelled, REQUOTED_MOST); back > 0; back--) {
      const distance = this.shape.draw(this.random)
      const tick = this.chosen(book.best(side), side, distance)
      if (!book.levelAt(side, tick)) book.put(side, this.draw(tick, distance, view))
    }
  }

  /** Adds levels between the old best and the target price, with the usual gaps. */
  private approach(book: SynthBook, side: BookSide, target: number, view: MakerView): void {
    const outward = OUTWARD_STEP[side]
    const from = book.count(side) > 0 ? book.best(side) : target
    const distance = Math.abs(target - from)
    if (from === target) return
    // A long distance gets fewer levels: a new gap is not filled at once.
    const odds = Math.min(1, APPROACH_LEVELS / distance) / this.profile.gapTicks
    for (let tick = from - outward; (tick - target) * outward > 0; tick -= outward)
      if (this.random.chance(odds)) book.put(side, this.draw(tick, Math.abs(tick - target), view))
    book.put(side, this.draw(target, 0, view))
  }

  /** Adds, cancels or changes one order, mostly near the touch, but many far away. */
  private change(book: SynthBook, side: BookSide, view: MakerView): void {
    const { random, shape, profile } = this
    const distance = shape.draw(random) - 1
    const tick = this.chosen(book.best(side), side, distance)
    const level = book.levelAt(side, tick)
    if (level) return book.put(side, this.amended(level, distance, view))
    if (distance > 0) book.put(side, this.draw(tick, distance, view))
    const surplus = book.count(side) - profile.levels
    if (surplus <= 0) return
    // Any level but the best may go, which preserves their distances.
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
    const sigma = distance === 0 ? LEVEL_SIGMA.touch : LEVEL_SIGMA.beyond
    const size = lognormal(random, usd * Math.exp(-(sigma ** 2) / 2), sigma)
    const lots = roundLots(random, Math.max(size, 11) / view.lotUsd)
    const others = poisson(random, Math.min(ORDERS_MOST, (2.2 * size) / profile.levelUsd))
    return { tick, lots, orders: 1 + Math.min(ORDERS_MOST, others) }
  }

  /** The level after one order joined, left or was replaced. */
  private amended(level: SynthLevel, distance: number, view: MakerView): SynthLevel {
    const { random } = this
    const { tick, lots, orders } = level
    if (orders === 1 || random.chance(0.35)) return this.draw(tick, distance, view)
    const part = Math.max(1, roundLots(random, (lots / orders) * (0.4 + random.unit())))
    if (random.chance(0.5) && part < lots) return { tick, lots: lots - part, orders: orders - 1 }
    return { tick, lots: lots + part, orders: orders + 1 }
  }
}

/** Typical distance of resting orders from the touch, in ticks. */
const HUMP_TICKS = 12
/** Size of levels at the hump, and of the best one, relative to the instrument's usual level. */
const HUMP_SIZE = 2
const TOUCH_SIZE = 6.5
/** Distance at which half of a deep book's excess is left. */
const DEEP_TICKS = 16
/** Power-law exponent of sizes beyond the hump. */
const DECAY = 0.85
/** Share of orders near the touch, and their mean distance. */
const NEAR = { odds: 0.42, ticks: 6 }

/** Input of a book's shape. */
interface ShapedBook extends PriceSteps {
  startPx: number
  bookDepth?: number | undefined
  levels: number
  gapTicks: number
  extent: number
}

/**
 * Distribution of makers' orders in one instrument's book by distance from the touch in ticks:
 * adjacent levels at first, then gaps that grow with the distance, so that some hundred levels
 * cover the quoted range.
 */
export class BookShape {
  /** Distance of the last level. */
  readonly extent: number
  /** Distance from which gaps grow. */
  private readonly dense: number
  private readonly tail: number

  constructor(private readonly profile: ShapedBook) {
    this.extent = Math.max(1, Math.round((profile.extent * 10_000) / tickBp(profile)))
    this.dense = denseTicks(profile, this.extent)
    this.tail = Math.log(this.extent / this.dense)
  }

  /** Mean distance from a level to the next one outward. */
  gap(distance: number): number {
    return this.profile.gapTicks * Math.max(1, distance / this.dense)
  }

  /** Mean size of a level relative to the instrument's usual one: a hump, then a power law. */
  size(distance: number): number {
    const part = distance / HUMP_TICKS
    const deeper = 1 + ((this.profile.bookDepth ?? 1) - 1) / (1 + distance / DEEP_TICKS)
    if (distance === 0) return TOUCH_SIZE * deeper
    const density = part < 1 ? 0.34 + part * (1.26 - 0.6 * part) : part ** -DECAY
    return HUMP_SIZE * density * deeper * (this.gap(distance) / this.profile.gapTicks)
  }

  /** Draws the distance of a new or changed order. */
  draw(random: RandomSource): number {
    if (random.chance(NEAR.odds)) return 1 + Math.floor(exponential(random, NEAR.ticks))
    return this.spread(random)
  }

  /** Draws a distance as levels are spread over the book. */
  spread(random: RandomSource): number {
    const place = random.unit() * (1 + this.tail)
    const distance = place < 1 ? place * this.dense : this.dense * Math.exp(place - 1)
    return 1 + Math.floor(distance)
  }

  /** A maker's tick near another one: the wider the gaps, the rounder. */
  chosen(tick: number, distance: number, random: RandomSource): number {
    const gap = this.gap(distance)
    const unit = gap < 4 ? 1 : gap < 20 ? 10 : gap < 40 ? 50 : 100
    return unit === 1 || random.chance(0.4) ? tick : Math.round(tick / unit) * unit
  }
}

/** Relative attraction of a round price. */
function roundness(tick: number): number {
  if (tick % 100 === 0) return 5
  if (tick % 50 === 0) return 3.2
  return tick % 10 === 0 ? 2 : 1
}

/** Mean of it over all prices. */
export const MEAN_ROUNDNESS = 1.142

/** The dense distance with which the gaps add up to the profile's number of levels. */
function denseTicks({ levels, gapTicks }: ShapedBook, extent: number): number {
  const ticks = levels * gapTicks
  let dense = ticks / 2
  for (let step = 0; step < 30; step++) dense = ticks / (1 + Math.log(Math.max(1, extent / dense)))
  return Math.min(dense, extent)
}

/** Inputs of one instrument's makers. */
export interface MakerView {
  /** Fair price, in ticks. */
  fair: number
  /** Distance of quotes from it, relative to normal. */
  width: number
  /** Quoted spread, in ticks. */
  spread: number
  /** Depth relative to normal. */
  depth: number
  /** Rate of book changes relative to normal. */
  pace: number
  /** Excess of levels over the usual, as a fraction, beyond which the farthest are cancelled. */
  surplus: number
  /** Whether orders cancelled in a move return around the new price. */
  requotes: boolean
  /** Dollars of one lot at this price. */
  lotUsd: number
}

/** Influences on the quotes of one instrument. */
interface QuoteConditions {
  spread: number
  depth: number
  unrest: number
  wanders: boolean
}

/** In cycles prices and books return to earlier levels; without an end they need not. */
const SURPLUS = 0.4

/** The view of an instrument in these conditions: in a busy market makers quote wider and less. */
function makerView(
  profile: InstrumentProfile,
  conditions: Conditions,
  local: QuoteConditions,
  fair: number,
  lotUsd: number,
): MakerView {
  const { stress, quiet } = conditions
  const volatility = conditions.volatility * local.unrest
  const width = quoteWidth(conditions, local)
  return {
    fair,
    width,
    spread: Math.max(1, Math.round(profile.spreadTicks * width * local.spread)),
    depth: (local.depth * (1 - 0.4 * stress) * (1 + 0.2 * quiet)) / (0.6 + 0.4 * volatility),
    pace: 1 + 0.8 * stress,
    surplus: local.wanders ? SURPLUS : Number.POSITIVE_INFINITY,
    requotes: local.wanders,
    lotUsd,
  }
}

/** Distance of quotes from the price in these conditions, relative to normal. */
function quoteWidth(
  { volatility, stress, quiet }: Conditions,
  { unrest }: { unrest: number },
): number {
  return (0.65 + 0.3 * volatility * unrest) * (1 + 1.2 * stress) * (1 - 0.25 * quiet)
}
