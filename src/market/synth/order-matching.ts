import { type RandomSource, randomSourceOf } from '../../random/random-source.ts'
import type { FairPrice } from './fair-price.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import type { MarketState } from './market-state.ts'
import type { PriceGrid } from './price-grid.ts'
import type { BookChange, BookSide, SynthBook, SynthLevel } from './synth-book.ts'
import type { BookLevel, SynthEvent, SynthLevels, SynthTrade } from './synth-event.ts'
import { nextTradeId, type TradeIdState } from './trade-ids.ts'

/** A taker's order as it is matched. */
interface MatchedOrder {
  /** Side of the book that it takes from. */
  side: BookSide
  lots: number
  /** What its trades are marked with. */
  tag?: number | undefined
  /** Gets the numbers of its trades. */
  tids?: number[]
}

/** Matches takers' orders with the book of one instrument, and tells what changed. */
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

  /** Adds the trades of an order, then the changed levels; true when the best price has gone. */
  match(timeMs: number, { side, lots, tag, tids }: MatchedOrder, events: SynthEvent[]): boolean {
    const { book, state } = this
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
    const levels = (lots * this.price.lotDollars()) / state.profile.levelUsd
    this.price.onTrade(side === 'asks' ? 1 : -1, levels)
    return book.best(side) !== best
  }

  /** Adds the levels that have changed since the last time, if any have. */
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

/** How many makers one taker meets at a price at most, and how likely each further one is. */
const MAKERS_MAX = 4
const NEXT_MAKER_ODDS = 0.22
/** As many as these make; with more, each price has more makers. */
const USUAL_FILLS = 1.6
const MANY_MAKERS = 60

/** The makers' orders that the lots taken from one level came from. */
function makerFills(
  { tick, lots, orders }: SynthLevel,
  random: RandomSource,
  perOrder = 1,
): MakerFill[] {
  const fills: MakerFill[] = []
  const isUsual = perOrder <= USUAL_FILLS
  const odds = isUsual ? NEXT_MAKER_ODDS : 1 - 1 / perOrder
  // Where orders meet many makers, a level has more of them than a book tells.
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

/** Makes the events of one instrument's book out of ticks. */
class EventMaker {
  constructor(
    private readonly profile: InstrumentProfile,
    private readonly grid: PriceGrid,
    private readonly tids: TradeIdState,
  ) {}

  /** The full book, or the levels of it that have changed. */
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
