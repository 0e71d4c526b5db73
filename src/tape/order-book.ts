import type { BookData, DeltaData, Level } from './tape-event.ts'

/** One coin's order book, built from its `book` and `delta` events. */
export class OrderBook {
  private readonly bidLevels = new SortedLevels(1)
  private readonly askLevels = new SortedLevels(-1)
  /** False until the first full book; earlier changes are ignored. */
  isComplete = false

  /** Applies one event's data; a full book replaces everything, size "0" removes a level. */
  apply(event: { kind: 'book'; data: BookData } | { kind: 'delta'; data: DeltaData }): void {
    if (event.kind === 'book') {
      this.bidLevels.clear()
      this.askLevels.clear()
      this.isComplete = true
    }
    for (const level of event.data.bids) this.bidLevels.put(level)
    for (const level of event.data.asks) this.askLevels.put(level)
  }

  /** All bids, the highest first. */
  bids(): Level[] {
    return this.bidLevels.bestFirst()
  }

  /** All asks, the lowest first. */
  asks(): Level[] {
    return this.askLevels.bestFirst()
  }

  bestBid(): Level | undefined {
    return this.bidLevels.best()
  }

  bestAsk(): Level | undefined {
    return this.askLevels.best()
  }

  /** True when the best bid reaches the best ask, which no matching engine allows. */
  isCrossed(): boolean {
    return this.bidLevels.rank() + this.askLevels.rank() >= 0
  }
}

/**
 * One side, the worst level first, because changes occur at the best end, where moving is cheap.
 */
class SortedLevels {
  private ranks: number[] = []
  private levels: Level[] = []

  /** `direction` 1: a higher price is better; -1: a lower one is. */
  constructor(private readonly direction: 1 | -1) {}

  clear(): void {
    this.ranks = []
    this.levels = []
  }

  put(level: Level): void {
    const rank = this.direction * Number(level[0])
    const at = this.place(rank)
    const present = this.ranks[at] === rank
    if (level[1] !== '0') {
      this.ranks.splice(at, present ? 1 : 0, rank)
      this.levels.splice(at, present ? 1 : 0, level)
    } else if (present) {
      this.ranks.splice(at, 1)
      this.levels.splice(at, 1)
    }
  }

  bestFirst(): Level[] {
    return this.levels.toReversed()
  }

  best(): Level | undefined {
    return this.levels.at(-1)
  }

  /** Rank of the best price, higher is better; the lowest value without one. */
  rank(): number {
    return this.ranks.at(-1) ?? Number.NEGATIVE_INFINITY
  }

  /** Index at which `rank` is or would be inserted. */
  private place(rank: number): number {
    let [low, high] = [0, this.ranks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.ranks[middle] ?? 0) < rank) low = middle + 1
      else high = middle
    }
    return low
  }
}
