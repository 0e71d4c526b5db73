/** One level of a book, in ticks of the price grid and lots. */
export interface SynthLevel {
  tick: number
  lots: number
  orders: number
}

/** Levels of a half that no taker reaches. */
const RESERVED_LEVELS = 10

export type BookSide = 'bids' | 'asks'

/** Changed levels of both halves; a level with no lots is gone. */
export type BookChange = Record<BookSide, SynthLevel[]>

/** The book of one instrument, both halves from the touch outward. It is never crossed. */
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

  /** The best tick of a half; a book always keeps some levels. */
  best(half: BookSide): number {
    const level = this[half][0]
    if (!level) throw new Error(`the ${half} of a synthesised book ran empty`)
    return level.tick
  }

  /** Puts a level, in place of the one at that tick if there is one; no lots take it away. */
  put(half: BookSide, level: SynthLevel): void {
    const other = this[half === 'bids' ? 'asks' : 'bids'][0]
    const outward = half === 'bids' ? -1 : 1
    if (other && level.lots > 0 && (level.tick - other.tick) * outward <= 0)
      throw new Error(`a level at tick ${level.tick} would cross the book`)
    const list = this[half]
    let at = 0
    while (at < list.length && ((list[at]?.tick ?? 0) - level.tick) * outward < 0) at++
    const there = list[at]?.tick === level.tick ? 1 : 0
    if (level.lots > 0) list.splice(at, there, level)
    else list.splice(at, there)
    this.changedLevels[half].set(level.tick, level)
  }

  /** Takes the best levels away while `stale` says so. */
  cancelStale(half: BookSide, stale: (tick: number) => boolean): void {
    for (let best = this[half][0]; best && stale(best.tick); best = this[half][0])
      this.put(half, { ...best, lots: 0, orders: 0 })
  }

  /** Lots that a taker can have in the best `depth` levels; the last levels stay in any case. */
  sizeWithin(half: BookSide, depth: number): number {
    const most = Math.min(depth, Math.max(1, this[half].length - RESERVED_LEVELS))
    return this[half].slice(0, most).reduce((sum, level) => sum + level.lots, 0)
  }

  /** True when so little is left that makers would long have stepped in. */
  isThin(half: BookSide): boolean {
    return this[half].length <= RESERVED_LEVELS
  }

  /** Matches a taker against the best levels, and says what was taken where. */
  take(half: BookSide, lots: number): SynthLevel[] {
    const taken: SynthLevel[] = []
    for (let left = lots; left > 0; ) {
      const best = this[half][0]
      if (!best) throw new Error('a taker wanted more than the book holds')
      const part = Math.min(left, best.lots)
      const rest = best.lots - part
      taken.push({ tick: best.tick, lots: part, orders: best.orders })
      const orders = rest > 0 ? Math.max(1, Math.round((best.orders * rest) / best.lots)) : 0
      this.put(half, { tick: best.tick, lots: rest, orders })
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
