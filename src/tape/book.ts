import type { BookData, DeltaData, Level } from './event.ts'

/** One coin's order book, kept up to date by its `book` and `delta` events. */
export class Book {
  private readonly buyers = new Half(1)
  private readonly sellers = new Half(-1)
  /** False until the first whole book has come; changes before it are of no use. */
  whole = false

  /** Takes one event's data; a whole book replaces everything, size "0" takes a level away. */
  apply(event: { kind: 'book'; data: BookData } | { kind: 'delta'; data: DeltaData }): void {
    if (event.kind === 'book') {
      this.buyers.clear()
      this.sellers.clear()
      this.whole = true
    }
    for (const level of event.data.bids) this.buyers.put(level)
    for (const level of event.data.asks) this.sellers.put(level)
  }

  /** All bids, the highest first. */
  bids(): Level[] {
    return this.buyers.bestFirst()
  }

  /** All asks, the lowest first. */
  asks(): Level[] {
    return this.sellers.bestFirst()
  }

  bestBid(): Level | undefined {
    return this.buyers.best()
  }

  bestAsk(): Level | undefined {
    return this.sellers.best()
  }

  /** True when somebody bids as much as somebody else asks: no matching engine leaves that so. */
  crossed(): boolean {
    return this.buyers.rank() + this.sellers.rank() >= 0
  }
}

/** One side, the worst level first, because changes come at the best end where moving is cheap. */
class Half {
  private ranks: number[] = []
  private levels: Level[] = []

  /** `way` 1: a higher price is better; -1: a lower one is. */
  constructor(private readonly way: 1 | -1) {}

  clear(): void {
    this.ranks = []
    this.levels = []
  }

  put(level: Level): void {
    const rank = this.way * Number(level[0])
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

  /** How good the best price is; worse than any when there is none. */
  rank(): number {
    return this.ranks.at(-1) ?? Number.NEGATIVE_INFINITY
  }

  /** Where `rank` stands, or would stand. */
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
