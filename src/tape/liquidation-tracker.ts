import { format, parse } from '../decimal/scaled.ts'
import type { LiquidationData, TradeData } from './tape-event.ts'

/** Follows one coin's forced closings: their trades come next, on the right side, and add up. */
export class LiquidationTracker {
  private waiting: number[] = []
  private missing = 0
  private side: TradeData['side'] = 'A'

  /** `scale` is the number of decimals of the coin's sizes. */
  constructor(private readonly scale: number) {}

  /** A closing begins; what is wrong with the one before, or null. */
  begin(data: LiquidationData): string | null {
    const before = this.unfinished()
    this.waiting = [...data.tids]
    this.missing = parse(data.sz, this.scale)
    // Who closes a long sells, so the taker is on the ask's side.
    this.side = data.position === 'long' ? 'A' : 'B'
    return before
  }

  /** The coin's next trade; what is wrong with it, or null. */
  trade(data: TradeData): string | null {
    if (this.waiting.length === 0) return null
    const next = this.waiting.shift()
    if (data.tid !== next) {
      this.waiting = []
      return `trade ${next} of a forced closing should come here`
    }
    this.missing -= parse(data.sz, this.scale)
    if (data.side !== this.side) return `trade ${next} of a forced closing is on the wrong side`
    if (this.waiting.length > 0 || this.missing === 0) return null
    return `a forced closing's trades miss its size by ${format(this.missing, this.scale)}`
  }

  /** What a closing still lacks, or null. */
  unfinished(): string | null {
    return this.waiting.length === 0
      ? null
      : `trade ${this.waiting[0]} of a forced closing is missing`
  }
}
