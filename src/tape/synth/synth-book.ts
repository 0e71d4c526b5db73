/** One level of a book, in ticks of the price grid and lots. */
export interface SynthLevel {
  tick: number
  lots: number
  orders: number
}

/** Levels of a side that no taker reaches. */
const RESERVED_LEVELS = 10

export type BookSide = 'bids' | 'asks'

/** Changed levels of both sides; a level with no lots is gone. */
export type BookChange = Record<BookSide, SynthLevel[]>

/** The book of one instrument, both sides from the touch outward. It is never crossed. */
export class SynthBook {
  readonly bids: SynthLevel[] = []
  readonly asks: SynthLevel[] = []
  private changedLevels: Record<BookSide, Map<number, SynthLevel>> = {
    bids: new Map(),
    asks: new Map(),
  }

  /** Middle between the best prices, in ticks. */
  mid(): number {
    return (this.best('bids') + this.best('asks')) / 2
  }

  /** The best tick of a side; a book always keeps some levels. */
  best(side: BookSide): number {
    const level = this[side][0]
    if (!level) throw new Error(`the ${side} of a synthesised book ran empty`)
    return level.tick
  }

  /** Puts a level, in place of the one at that tick if there is one; no lots remove it. */
  put(side: BookSide, level: SynthLevel): void {
    const other = this[side === 'bids' ? 'asks' : 'bids'][0]
    const outward = side === 'bids' ? -1 : 1
    if (other && level.lots > 0 && (level.tick - other.tick) * outward <= 0)
      throw new Error(`a level at tick ${level.tick} would cross the book`)
    const list = this[side]
    let at = 0
    while (at < list.length && ((list[at]?.tick ?? 0) - level.tick) * outward < 0) at++
    const present = list[at]?.tick === level.tick ? 1 : 0
    if (level.lots > 0) list.splice(at, present, level)
    else list.splice(at, present)
    this.changedLevels[side].set(level.tick, level)
  }

  /** Removes the best levels while they are `stale`. */
  cancelStale(side: BookSide, stale: (tick: number) => boolean): void {
    for (let best = this[side][0]; best && stale(best.tick); best = this[side][0])
      this.put(side, { ...best, lots: 0, orders: 0 })
  }

  /** Lots that a taker can have in the best `depth` levels; the last levels stay in any case. */
  sizeWithin(side: BookSide, depth: number): number {
    const count = Math.min(depth, Math.max(1, this[side].length - RESERVED_LEVELS))
    return this[side].slice(0, count).reduce((sum, level) => sum + level.lots, 0)
  }

  /** True when so little is left that makers must refill first. */
  isThin(side: BookSide): boolean {
    return this[side].length <= RESERVED_LEVELS
  }

  /** Matches a taker against the best levels; answers what was taken at each. */
  take(side: BookSide, lots: number): SynthLevel[] {
    const taken: SynthLevel[] = []
    for (let left = lots; left > 0; ) {
      const best = this[side][0]
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

  /** What has changed since the last call, from the touch outward; null if nothing has. */
  changes(): BookChange | null {
    const { bids, asks } = this.changedLevels
    if (bids.size + asks.size === 0) return null
    this.changedLevels = { bids: new Map(), asks: new Map() }
    return {
      bids: [...bids.values()].sort((a, b) => b.tick - a.tick),
      asks: [...asks.values()].sort((a, b) => a.tick - b.tick),
    }
  }
}
