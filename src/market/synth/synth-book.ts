/** One level of a book, in ticks of the price grid and lots. */
export interface SynthLevel {
  tick: number
  lots: number
  orders: number
}

export type BookSide = 'bids' | 'asks'

export const BOOK_SIDES: readonly BookSide[] = ['bids', 'asks']

/** One tick away from the touch. */
export const OUTWARD_STEP = { bids: -1, asks: 1 }

/**
 * A book as plain data: each side's levels, the worst first, because changes come at the best end,
 * where moving is cheap. A level is replaced, never changed.
 */
export type BookState = Record<BookSide, SynthLevel[]>

/** Changed levels of both sides; a level with no lots is gone. */
export type BookChange = Record<BookSide, SynthLevel[]>

/** Levels of a side that no taker reaches; fewer where there is no room below the best price. */
const RESERVED_LEVELS = 10

/** A book without levels. */
export function emptyBook(): BookState {
  return { bids: [], asks: [] }
}

/** The book of one instrument. It is never crossed. */
export class SynthBook {
  private changed = emptyBook()

  constructor(private readonly state: BookState) {}

  /** Levels of a side. */
  count(side: BookSide): number {
    return this.state[side].length
  }

  /** Middle between the best prices, in ticks. */
  mid(): number {
    return (this.best('bids') + this.best('asks')) / 2
  }

  /** The best tick of a side; a book always keeps some levels. */
  best(side: BookSide): number {
    const level = this.level(side, 0)
    if (!level) throw new Error(`the ${side} of a synthesised book ran empty`)
    return level.tick
  }

  /** The level at so many levels from the touch. */
  level(side: BookSide, depth: number): SynthLevel | undefined {
    const levels = this.state[side]
    return levels[levels.length - 1 - depth]
  }

  /** The level at a tick. */
  levelAt(side: BookSide, tick: number): SynthLevel | undefined {
    const level = this.state[side][this.place(side, tick)]
    return level?.tick === tick ? level : undefined
  }

  /**
   * Puts a level, in place of the one at that tick if there is one; no lots remove it. There are
   * none at prices of 0 and below.
   */
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

  /** Removes the best levels while they are `stale`; answers how many. */
  cancelStale(side: BookSide, stale: (tick: number) => boolean): number {
    const before = this.count(side)
    for (let best = this.level(side, 0); best && stale(best.tick); best = this.level(side, 0))
      this.put(side, { tick: best.tick, lots: 0, orders: 0 })
    return before - this.count(side)
  }

  /** Removes the level that is farthest away. */
  cancelLast(side: BookSide): void {
    const last = this.state[side][0]
    if (last) this.put(side, { tick: last.tick, lots: 0, orders: 0 })
  }

  /** Multiplies what stands at all levels. */
  scale(factor: number): void {
    for (const side of BOOK_SIDES)
      for (const { tick, lots, orders } of this.state[side])
        this.put(side, { tick, lots: Math.max(1, Math.round(lots * factor)), orders })
  }

  /** Lots that a taker can have in the best `depth` levels; the last lot stays in any case. */
  sizeWithin(side: BookSide, depth: number): number {
    const levels = this.state[side]
    const count = Math.min(depth, Math.max(1, levels.length - this.reserved(side)))
    let sum = count === levels.length ? -1 : 0
    for (let at = levels.length - count; at < levels.length; at++) sum += levels[at]?.lots ?? 0
    return sum
  }

  /** Levels that are better than a tick or lie at it. */
  levelsUpTo(side: BookSide, tick: number): number {
    return this.count(side) - this.place(side, tick)
  }

  /** True when so little is left that makers must refill first. */
  isThin(side: BookSide): boolean {
    return this.count(side) <= this.reserved(side)
  }

  private reserved(side: BookSide): number {
    return side === 'asks' ? RESERVED_LEVELS : Math.min(RESERVED_LEVELS, this.best(side) - 1)
  }

  /** Matches a taker against the best levels; answers what was taken at each. */
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

  /** What has changed since the last call, from the touch outward; null if nothing has. */
  changes(): BookChange | null {
    const { bids, asks } = this.changed
    if (bids.length + asks.length === 0) return null
    this.changed = emptyBook()
    return { bids: lastOfEach(bids, 'bids'), asks: lastOfEach(asks, 'asks') }
  }

  /** Where a tick is among the levels, or would be. */
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

/** The last state of each level that has changed, from the touch outward. */
function lastOfEach(changed: SynthLevel[], side: BookSide): SynthLevel[] {
  if (changed.length < 2) return changed
  const step = OUTWARD_STEP[side]
  // Stable, so that of one level the last state comes last.
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
