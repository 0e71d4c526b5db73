import { type RandomSource, randomSourceOf } from '../../random/random-source.ts'
import { EventMaker } from './event-maker.ts'
import type { FairPrice } from './fair-price.ts'
import { makerFills } from './maker-fills.ts'
import type { MarketState } from './market-state.ts'
import type { PriceGrid } from './price-grid.ts'
import type { BookSide, SynthBook } from './synth-book.ts'
import type { SynthEvent } from './synth-event.ts'

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
