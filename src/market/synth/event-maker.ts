import type { InstrumentProfile } from './instrument-profile.ts'
import type { PriceGrid } from './price-grid.ts'
import type { BookChange, BookSide, SynthLevel } from './synth-book.ts'
import type { BookLevel, SynthLevels, SynthTrade } from './synth-event.ts'
import { nextTradeId, type TradeIdState } from './trade-ids.ts'

/** A maker's order that was filled. */
export interface MakerFill {
  tick: number
  lots: number
}

/** Makes the events of one instrument's book out of ticks. */
export class EventMaker {
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
