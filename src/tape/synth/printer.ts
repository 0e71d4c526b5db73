import { format } from '../../decimal/scaled.ts'
import type { Draft, Level, Side, TradeData } from '../event.ts'
import type { Ladder } from './ladder.ts'
import type { Profile } from './roster.ts'
import type { Change, Half, Shelf } from './shelves.ts'

/** A maker's order that was filled. */
export interface Fill {
  rung: number
  lots: number
}

/** A trade with its number. */
export interface Print {
  time: number
  kind: 'trade'
  coin: string
  data: TradeData & { tid: number }
}

/** Writes what happened on one instrument as events of the tape, in decimal strings. */
export class Printer {
  constructor(
    private readonly profile: Profile,
    private readonly rungs: Ladder,
    private readonly nextTid: () => number,
  ) {}

  /** The whole book, or the levels of it that have changed. */
  levels(kind: 'book' | 'delta', time: number, change: Change): Draft {
    const data = { bids: change.bids.map(this.level), asks: change.asks.map(this.level) }
    return { time, kind, coin: this.profile.coin, data }
  }

  /** One trade for each fill; `half` is the side of the book that was eaten. */
  trades(time: number, half: Half, fills: Fill[]): Print[] {
    const side: Side = half === 'asks' ? 'B' : 'A'
    const { coin } = this.profile
    return fills.map(({ rung, lots }) => {
      const data = { side, px: this.rungs.text(rung), sz: this.size(lots), tid: this.nextTid() }
      return { time, kind: 'trade', coin, data }
    })
  }

  size(lots: number): string {
    return format(lots, this.profile.szDecimals)
  }

  private level = ({ rung, lots, orders }: Shelf): Level => {
    return [this.rungs.text(rung), this.size(lots), orders]
  }
}
