import { pow10 } from '../../decimal/quantity.ts'
import { type RandomSource, randomSourceOf } from '../../random/random-source.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import type { FairPrice, MarketState } from './market-state.ts'
import {
  type BookLevel,
  nextTradeId,
  type SynthEvent,
  type SynthLevels,
  type SynthTrade,
  type TradeIdState,
} from './synth-event.ts'

/** A taker's order for matching. */
interface MatchedOrder {
  /** Side of the book that it takes from. */
  side: BookSide
  lots: number
  /** Mark of its trades. */
  tag?: number | undefined
  /** Receives the numbers of its trades. */
  tids?: number[]
  /** Size by which it moves the price, relative to its own; 1 by default. */
  weight?: number | undefined
}

/** Matches takers' orders with the book of one instrument, and emits the changes. */
export class OrderMatching {
  private readonly makeEvents: EventMaker
  private readonly splits: RandomSource

  constructor(
    private readonly state: MarketState,
    private readonly book: SynthBook,
    private readonly price: FairPrice,
    grid: PriceGrid,
  ) {
    this.makeEvents = new EventMaker(state.profile, grid, state.tids)
    this.splits = randomSourceOf(state.splits)
  }

  /** Adds the trades of an order, then the changed levels; true when the best price is gone. */
  match(timeMs: number, order: MatchedOrder, events: SynthEvent[]): boolean {
    const { book, state } = this
    const { side, lots, tag, tids, weight = 1 } = order
    const best = book.best(side)
    const taken = book.take(side, lots)
    state.lastTick = taken.at(-1)?.tick ?? state.lastTick
    for (const level of taken)
      for (const fill of makerFills(level, this.splits, state.profile.fillsPerOrder)) {
        const trade = this.makeEvents.trade(timeMs, side, fill)
        if (tag !== undefined) trade.tag = tag
        tids?.push(trade.tid)
        events.push(trade)
      }
    this.tellChanges(timeMs, events)
    const levels = (weight * lots * this.price.lotDollars()) / state.profile.levelUsd
    this.price.onTrade(side === 'asks' ? 1 : -1, levels)
    return book.best(side) !== best
  }

  /** Adds a trade outside the book, and returns its number. */
  takeOver(
    timeMs: number,
    { side, px, lots }: Pick<SynthTrade, 'side' | 'px' | 'lots'>,
    events: SynthEvent[],
  ): number {
    const tid = nextTradeId(this.state.tids)
    const { coin } = this.state.profile
    events.push({ kind: 'trade', timeMs, coin, side, px, lots, tid, isOutside: true })
    return tid
  }

  /** Adds the levels changed since the last call, if any. */
  tellChanges(timeMs: number, events: SynthEvent[]): void {
    const change = this.book.changes()
    if (change) events.push(this.makeEvents.levels('delta', timeMs, change))
  }

  /** Adds the full book. */
  tellBook(timeMs: number, events: SynthEvent[]): void {
    this.book.changes()
    events.push(this.makeEvents.levels('book', timeMs, this.book.levels()))
  }
}

/** Maximum number of makers per taker at a price, and the probability of each further one. */
const MAKERS_MAX = 4
const NEXT_MAKER_ODDS = 0.22
/** Mean number implied by these; for a higher one, each price has more makers. */
const USUAL_FILLS = 1.6
const MANY_MAKERS = 60

/** Splits the lots taken from one level into makers' orders. */
function makerFills(
  { tick, lots, orders }: SynthLevel,
  random: RandomSource,
  perOrder = 1,
): MakerFill[] {
  const fills: MakerFill[] = []
  const isUsual = perOrder <= USUAL_FILLS
  const odds = isUsual ? NEXT_MAKER_ODDS : 1 - 1 / perOrder
  // Where orders fill many makers, a level has more of them than the book shows.
  const most = isUsual ? Math.min(orders, MAKERS_MAX) : MANY_MAKERS
  let left = lots
  for (let further = most - 1; further > 0 && left > 2; further--) {
    if (!random.chance(odds)) break
    const part = Math.min(left - 1, Math.max(1, Math.round(left * (0.15 + 0.7 * random.unit()))))
    fills.push({ tick, lots: part })
    left -= part
  }
  fills.push({ tick, lots: left })
  return fills
}

/** A maker's order that was filled. */
interface MakerFill {
  tick: number
  lots: number
}

/** Converts ticks into the events of one instrument's book. */
class EventMaker {
  constructor(
    private readonly profile: InstrumentProfile,
    private readonly grid: PriceGrid,
    private readonly tids: TradeIdState,
  ) {}

  /** The full book, or its changed levels. */
  levels(kind: 'book' | 'delta', timeMs: number, { bids, asks }: BookChange): SynthLevels {
    const { coin } = this.profile
    return { kind, timeMs, coin, bids: bids.map(this.level), asks: asks.map(this.level) }
  }

  /** The trade of a fill; `taken` is the side of the book that it was taken from. */
  trade(timeMs: number, taken: BookSide, { tick, lots }: MakerFill): SynthTrade {
    const side = taken === 'asks' ? 'B' : 'A'
    const [{ coin }, px] = [this.profile, this.grid.unitsAt(tick)]
    return { kind: 'trade', timeMs, coin, side, px, lots, tid: nextTradeId(this.tids) }
  }

  private level = ({ tick, lots, orders }: SynthLevel): BookLevel => {
    return { px: this.grid.unitsAt(tick), lots, orders }
  }
}

/**
 * Valid prices of the venue, numbered from zero without a gap.
 *
 * A price has at most `pxDecimals` decimals and at most five significant figures, and whole numbers
 * are always valid. Neighbours are one tick apart, wherever on the grid they lie.
 */
export interface PriceGrid {
  /** Tick of a price, in whole units of 10^-pxDecimals or a fraction of one. */
  tickAt(units: number): number
  /** The price of a tick in whole units of 10^-pxDecimals. */
  unitsAt(tick: number): number
}

/** Prices with five significant figures or fewer at the finest tick. */
const FINE_TICKS = 100_000
/** Prices of each further decade, 10000 to 99999. */
const DECADE_TICKS = 90_000

/** Price rule of an instrument: a constant step, or five figures and some decimals. */
export interface PriceSteps {
  pxDecimals: number
  tickUnits?: number | undefined
}

/** The grid of an instrument. */
export function priceGrid({ pxDecimals, tickUnits }: PriceSteps): PriceGrid {
  if (tickUnits !== undefined)
    return { tickAt: (units) => units / tickUnits, unitsAt: (tick) => tick * tickUnits }
  const last = pxDecimals - 1
  const unitsOf = (tick: number) => {
    if (tick < FINE_TICKS || last < 0) return tick
    const decade = Math.min(last, Math.floor((tick - FINE_TICKS) / DECADE_TICKS))
    return pow10(5 + decade) + (tick - FINE_TICKS - decade * DECADE_TICKS) * pow10(decade + 1)
  }
  const tickOf = (units: number) => {
    if (units < FINE_TICKS || last < 0) return units
    let decade = 0
    while (decade < last && units >= pow10(6 + decade)) decade++
    return FINE_TICKS + decade * DECADE_TICKS + (units - pow10(5 + decade)) / pow10(decade + 1)
  }
  return { tickAt: tickOf, unitsAt: unitsOf }
}

/** One tick at the first price of an instrument, in basis points. */
export function tickBp(profile: PriceSteps & { startPx: number }): number {
  const { tickAt, unitsAt } = priceGrid(profile)
  const units = Math.round(profile.startPx * pow10(profile.pxDecimals))
  return (unitsAt(tickAt(units) + 1) / units - 1) * 10_000
}

/** One level of a book, in ticks of the price grid and lots. */
export interface SynthLevel {
  tick: number
  lots: number
  orders: number
}

export type BookSide = 'bids' | 'asks'

export const BOOK_SIDES: readonly BookSide[] = ['bids', 'asks']

/** Outward direction of a side. */
export const OUTWARD_STEP = { bids: -1, asks: 1 }

/**
 * A book as plain data: each side's levels, the worst first, because changes occur at the best end,
 * where moving is cheap. Levels are immutable.
 */
export type BookState = Record<BookSide, SynthLevel[]>

/** Changed levels of both sides; zero lots remove a level. */
type BookChange = Record<BookSide, SynthLevel[]>

/** Levels of a side that takers cannot reach; fewer where there is no room below the best price. */
const RESERVED_LEVELS = 10

/** A book without levels. */
export function emptyBook(): BookState {
  return { bids: [], asks: [] }
}

/** The book of one instrument. It is never crossed. */
export class SynthBook {
  private changed = emptyBook()

  constructor(private readonly state: BookState) {}

  /** Number of levels of a side. */
  count(side: BookSide): number {
    return this.state[side].length
  }

  /** Mid price, in ticks. */
  mid(): number {
    return (this.best('bids') + this.best('asks')) / 2
  }

  /** The best tick of a side; a book always keeps some levels. */
  best(side: BookSide): number {
    const level = this.level(side, 0)
    if (!level) throw new Error(`the ${side} of a synthesised book ran empty`)
    return level.tick
  }

  /** The level at a depth from the touch. */
  level(side: BookSide, depth: number): SynthLevel | undefined {
    const levels = this.state[side]
    return levels[levels.length - 1 - depth]
  }

  /** The level at a tick. */
  levelAt(side: BookSide, tick: number): SynthLevel | undefined {
    const level = this.state[side][this.place(side, tick)]
    return level?.tick === tick ? level : undefined
  }

  /** Sets the level at its tick; zero lots remove it. Prices of 0 and below are skipped. */
  put(side: BookSide, level: SynthLevel): void {
    const { tick, lots } = level
    if (tick < 1) return
    const other = this.level(side === 'bids' ? 'asks' : 'bids', 0)
    if (other && lots > 0 && (tick - other.tick) * OUTWARD_STEP[side] <= 0)
      throw new Error(`a level at tick ${tick} would cross the book`)
    const levels = this.state[side]
    const at = this.place(side, tick)
    const present = levels[at]?.tick === tick
    this.changed[side].push(level)
    if (present && lots > 0) levels[at] = level
    else if (lots > 0) levels.splice(at, 0, level)
    else if (present) levels.splice(at, 1)
  }

  /** Removes the best levels while they are `stale`; returns their number. */
  cancelStale(side: BookSide, stale: (tick: number) => boolean): number {
    const before = this.count(side)
    for (let best = this.level(side, 0); best && stale(best.tick); best = this.level(side, 0))
      this.put(side, { tick: best.tick, lots: 0, orders: 0 })
    return before - this.count(side)
  }

  /** Removes the farthest level. */
  cancelLast(side: BookSide): void {
    const last = this.state[side][0]
    if (last) this.put(side, { tick: last.tick, lots: 0, orders: 0 })
  }

  /** Multiplies the sizes of all levels. */
  scale(factor: number): void {
    for (const side of BOOK_SIDES)
      for (const { tick, lots, orders } of this.state[side])
        this.put(side, { tick, lots: Math.max(1, Math.round(lots * factor)), orders })
  }

  /** Lots available to a taker in the best `depth` levels; the last lot always stays. */
  sizeWithin(side: BookSide, depth: number): number {
    const levels = this.state[side]
    const count = Math.min(depth, Math.max(1, levels.length - this.reserved(side)))
    let sum = count === levels.length ? -1 : 0
    for (let at = levels.length - count; at < levels.length; at++) sum += levels[at]?.lots ?? 0
    return sum
  }

  /** Number of levels at a tick or better. */
  levelsUpTo(side: BookSide, tick: number): number {
    return this.count(side) - this.place(side, tick)
  }

  /** Whether makers must refill the side first. */
  isThin(side: BookSide): boolean {
    return this.count(side) <= this.reserved(side)
  }

  private reserved(side: BookSide): number {
    return side === 'asks' ? RESERVED_LEVELS : Math.min(RESERVED_LEVELS, this.best(side) - 1)
  }

  /** Matches a taker against the best levels; returns the lots taken at each. */
  take(side: BookSide, lots: number): SynthLevel[] {
    const taken: SynthLevel[] = []
    for (let left = lots; left > 0; ) {
      const best = this.level(side, 0)
      if (!best) throw new Error('a taker wanted more than the book holds')
      const part = Math.min(left, best.lots)
      const rest = best.lots - part
      taken.push({ tick: best.tick, lots: part, orders: best.orders })
      const orders = rest > 0 ? Math.max(1, Math.round((best.orders * rest) / best.lots)) : 0
      this.put(side, { tick: best.tick, lots: rest, orders })
      left -= part
    }
    return taken
  }

  /** All levels, from the touch outward. */
  levels(): BookChange {
    return { bids: this.state.bids.toReversed(), asks: this.state.asks.toReversed() }
  }

  /** Changes since the last call, from the touch outward; null for none. */
  changes(): BookChange | null {
    const { bids, asks } = this.changed
    if (bids.length + asks.length === 0) return null
    this.changed = emptyBook()
    return { bids: lastOfEach(bids, 'bids'), asks: lastOfEach(asks, 'asks') }
  }

  /** Index at which a tick is or would be inserted. */
  private place(side: BookSide, tick: number): number {
    const levels = this.state[side]
    const step = OUTWARD_STEP[side]
    // Most changes are near the touch, so the search widens from there.
    let high = levels.length
    let low = high - 1
    for (let width = 2; low > 0 && ((levels[low]?.tick ?? 0) - tick) * step <= 0; width *= 2) {
      high = low
      low = Math.max(0, low - width)
    }
    low = Math.max(0, low)
    while (low < high) {
      const middle = (low + high) >> 1
      if (((levels[middle]?.tick ?? 0) - tick) * step > 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The last state of each changed level, from the touch outward. */
function lastOfEach(changed: SynthLevel[], side: BookSide): SynthLevel[] {
  if (changed.length < 2) return changed
  const step = OUTWARD_STEP[side]
  // Stable, so that the last state of a level comes last.
  changed.sort((a, b) => (a.tick - b.tick) * step)
  let kept = 0
  for (let at = 0; at < changed.length; at++) {
    const level = changed[at] as SynthLevel
    if (kept > 0 && changed[kept - 1]?.tick === level.tick) kept--
    changed[kept++] = level
  }
  changed.length = kept
  return changed
}
