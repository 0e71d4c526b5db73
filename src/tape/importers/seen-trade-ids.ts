import { NumberSet } from './number-set.ts'

/** How many trades of a coin one generation remembers. */
const GENERATION = 250_000

/**
 * The trades that are in the tape already, by tid.
 *
 * Remembers at least the last 250,000 of each coin and at most twice that, so that memory stays
 * bounded; a venue repeats its last few only.
 */
export class SeenTradeIds {
  private readonly coins = new Map<string, { young: NumberSet; old: NumberSet }>()

  /** True when the trade was there before; from now on it is. */
  hasSeen(coin: string, tid: number): boolean {
    let seen = this.coins.get(coin)
    if (seen === undefined) {
      seen = { young: new NumberSet(), old: new NumberSet() }
      this.coins.set(coin, seen)
    }
    if (seen.old.size > 0 && seen.old.has(tid)) return true
    if (!seen.young.add(tid)) return true
    if (seen.young.size === GENERATION) {
      seen.old = seen.young
      seen.young = new NumberSet()
    }
    return false
  }
}
