/** How many trades of a coin one generation remembers. */
const GENERATION = 250_000

/**
 * The trades that are in the tape already, by tid.
 *
 * Remembers at least the last 250,000 of each coin and at most twice that, so that memory stays
 * bounded; a venue repeats its last few only.
 */
export class SeenTradeIds {
  private readonly coins = new Map<string, { young: Set<number>; old: Set<number> }>()

  /** True when the trade was there before; from now on it is. */
  hasSeen(coin: string, tid: number): boolean {
    const seen = this.coins.get(coin) ?? { young: new Set(), old: new Set() }
    this.coins.set(coin, seen)
    if (seen.young.has(tid) || seen.old.has(tid)) return true
    if (seen.young.size === GENERATION) {
      seen.old = seen.young
      seen.young = new Set()
    }
    seen.young.add(tid)
    return false
  }
}
