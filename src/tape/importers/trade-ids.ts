import { wholeNumber } from '../decimal-text.ts'
import type { LeftOut } from './left-out.ts'
import { NumberSet } from './number-set.ts'

/** What a trade is counted as that comes again. */
export const REPEATED = 'trade that was there already (same tid)'

const NO_NUMBER = 'id of a trade that is no whole number below 2^53: the trade has none'

/** The number that a trade's id is; undefined where it is none, which is counted. */
export function tradeNumber(id: string, leftOut: LeftOut): number | undefined {
  if (id === '') return undefined
  const tid = wholeNumber(id)
  if (tid >= 0) return tid
  leftOut.count(NO_NUMBER)
  return undefined
}

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

/** The same of all coins. */
export class SeenTrades {
  private readonly coins = new Map<string, SeenTradeIds>()

  of(coin: string): SeenTradeIds {
    const known = this.coins.get(coin) ?? new SeenTradeIds()
    this.coins.set(coin, known)
    return known
  }
}
