import { format, parse } from '../decimal/scaled.ts'
import type { LiquidationData, TradeData } from './tape-event.ts'

/** Follows one coin's liquidations: their trades come next, on the right side, and add up. */
export class LiquidationTracker {
  private expectedTids: number[] = []
  private missingUnits = 0
  private side: TradeData['side'] = 'A'

  /** `scale` is the number of decimals of the coin's sizes. */
  constructor(private readonly scale: number) {}

  /** A liquidation begins; what is wrong with the one before, or null. */
  begin(data: LiquidationData): string | null {
    const unfinished = this.unfinished()
    this.expectedTids = [...data.tids]
    this.missingUnits = parse(data.sz, this.scale)
    // A long is closed by selling, so the taker's side is A.
    this.side = data.position === 'long' ? 'A' : 'B'
    return unfinished
  }

  /** The coin's next trade; what is wrong with it, or null. */
  trade(data: TradeData): string | null {
    if (this.expectedTids.length === 0) return null
    const next = this.expectedTids.shift()
    if (data.tid !== next) {
      this.expectedTids = []
      return `trade ${next} of a liquidation should come here`
    }
    this.missingUnits -= parse(data.sz, this.scale)
    if (data.side !== this.side) return `trade ${next} of a liquidation is on the wrong side`
    if (this.expectedTids.length > 0 || this.missingUnits === 0) return null
    return `a liquidation's trades miss its size by ${format(this.missingUnits, this.scale)}`
  }

  /** What the present liquidation still lacks, or null. */
  unfinished(): string | null {
    return this.expectedTids.length === 0
      ? null
      : `trade ${this.expectedTids[0]} of a liquidation is missing`
  }
}
