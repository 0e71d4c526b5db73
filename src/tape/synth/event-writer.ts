import { format } from '../../decimal/scaled.ts'
import type { EventDraft, Level, Side, TradeData } from '../tape-event.ts'
import type { InstrumentProfile } from './instrument-profiles.ts'
import type { PriceGrid } from './price-grid.ts'
import type { BookChange, BookSide, SynthLevel } from './synth-book.ts'
import { nextTradeId, type TradeIdState } from './trade-ids.ts'

/** A maker's order that was filled. */
export interface MakerFill {
  tick: number
  lots: number
}

/** A trade with its number. */
export interface TradeEvent {
  time: number
  kind: 'trade'
  coin: string
  data: TradeData & { tid: number }
}

/** Writes the events of one instrument, in decimal strings. */
export class EventWriter {
  constructor(
    private readonly profile: InstrumentProfile,
    private readonly grid: PriceGrid,
    private readonly tids: TradeIdState,
  ) {}

  /** The full book, or the levels of it that have changed. */
  levels(kind: 'book' | 'delta', time: number, change: BookChange): EventDraft {
    const data = { bids: change.bids.map(this.level), asks: change.asks.map(this.level) }
    return { time, kind, coin: this.profile.coin, data }
  }

  /** One trade for each fill; `side` is the side of the book that was taken from. */
  trades(time: number, side: BookSide, fills: MakerFill[]): TradeEvent[] {
    const takerSide: Side = side === 'asks' ? 'B' : 'A'
    const { coin } = this.profile
    return fills.map(({ tick, lots }) => {
      const data = {
        side: takerSide,
        px: this.grid.text(tick),
        sz: this.size(lots),
        tid: nextTradeId(this.tids),
      }
      return { time, kind: 'trade', coin, data }
    })
  }

  size(lots: number): string {
    return format(lots, this.profile.szDecimals)
  }

  private level = ({ tick, lots, orders }: SynthLevel): Level => {
    return [this.grid.text(tick), this.size(lots), orders]
  }
}
