/** One level of a book, in rungs of the ladder and lots. */
export interface Shelf {
  rung: number
  lots: number
  orders: number
}

/** Levels of a half that no taker reaches. */
const UNTOUCHED = 10

export type Half = 'bids' | 'asks'

/** Changed levels of both halves; a level with no lots is gone. */
export type Change = Record<Half, Shelf[]>

/** The book of one instrument, both halves from the touch outward. It is never crossed. */
export class Shelves {
  readonly bids: Shelf[] = []
  readonly asks: Shelf[] = []
  private changed: Record<Half, Map<number, Shelf>> = { bids: new Map(), asks: new Map() }

  /** Middle between the best prices, in rungs. */
  mid(): number {
    return (this.best('bids') + this.best('asks')) / 2
  }

  /** The best rung of a half; a book always keeps some levels. */
  best(half: Half): number {
    const shelf = this[half][0]
    if (!shelf) throw new Error(`the ${half} of a synthesised book ran empty`)
    return shelf.rung
  }

  /** Puts a level, in place of the one at that rung if there is one; no lots take it away. */
  put(half: Half, shelf: Shelf): void {
    const other = this[half === 'bids' ? 'asks' : 'bids'][0]
    const outward = half === 'bids' ? -1 : 1
    if (other && shelf.lots > 0 && (shelf.rung - other.rung) * outward <= 0)
      throw new Error(`a level at rung ${shelf.rung} would cross the book`)
    const list = this[half]
    let at = 0
    while (at < list.length && ((list[at]?.rung ?? 0) - shelf.rung) * outward < 0) at++
    const there = list[at]?.rung === shelf.rung ? 1 : 0
    if (shelf.lots > 0) list.splice(at, there, shelf)
    else list.splice(at, there)
    this.changed[half].set(shelf.rung, shelf)
  }

  /** Takes the best levels away while `stale` says so. */
  withdraw(half: Half, stale: (rung: number) => boolean): void {
    for (let best = this[half][0]; best && stale(best.rung); best = this[half][0])
      this.put(half, { ...best, lots: 0, orders: 0 })
  }

  /** Lots that a taker can have in the best `depth` levels; the last levels stay in any case. */
  standing(half: Half, depth: number): number {
    const most = Math.min(depth, Math.max(1, this[half].length - UNTOUCHED))
    return this[half].slice(0, most).reduce((sum, shelf) => sum + shelf.lots, 0)
  }

  /** True when so little is left that makers would long have stepped in. */
  thin(half: Half): boolean {
    return this[half].length <= UNTOUCHED
  }

  /** Matches a taker against the best levels, and says what was taken where. */
  take(half: Half, lots: number): Shelf[] {
    const taken: Shelf[] = []
    for (let left = lots; left > 0; ) {
      const best = this[half][0]
      if (!best) throw new Error('a taker wanted more than the book holds')
      const part = Math.min(left, best.lots)
      const rest = best.lots - part
      taken.push({ rung: best.rung, lots: part, orders: best.orders })
      const orders = rest > 0 ? Math.max(1, Math.round((best.orders * rest) / best.lots)) : 0
      this.put(half, { rung: best.rung, lots: rest, orders })
      left -= part
    }
    return taken
  }

  /** What has changed since the last call, from the touch outward; null if nothing has. */
  changes(): Change | null {
    const { bids, asks } = this.changed
    if (bids.size + asks.size === 0) return null
    this.changed = { bids: new Map(), asks: new Map() }
    return {
      bids: [...bids.values()].sort((a, b) => b.rung - a.rung),
      asks: [...asks.values()].sort((a, b) => a.rung - b.rung),
    }
  }
}
