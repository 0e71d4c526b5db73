import { NumberSet } from './number-set.ts'

/** How many trades one generation remembers. */
const GENERATION = 250_000

/**
 * The trades of a coin that are in the tape already, by tid.
 *
 * Remembers at least the last 250,000 and at most twice that, so that memory stays bounded; a venue
 * repeats its last few only.
 */
export class SeenTradeIds {
  private young = new NumberSet()
  private old = new NumberSet()

  /** True when the trade was there before; from now on it is. */
  hasSeen(tid: number): boolean {
    if (this.old.size > 0 && this.old.has(tid)) return true
    if (!this.young.add(tid)) return true
    if (this.young.size === GENERATION) {
      this.old = this.young
      this.young = new NumberSet()
    }
    return false
  }
}
