/**
 * Each fill names the position before it: where that is not the one after the last fill, one is
 * missing. Of perpetuals only: a spot balance changes otherwise, too.
 */
import type { Element } from './element-form.ts'

/** Sizes have at most this many decimals that count. */
const TOLERANCE = 1e-7

export class PositionChain {
  private readonly positions = new Map<string, number>()

  /** Whether a fill follows the one before it; it is the last one from now on. */
  follows({ coin, side, sz, startPosition }: Element): boolean {
    const start = Number(startPosition)
    const known = this.positions.get(coin)
    const signed = side === 'B' ? Number(sz) : -Number(sz)
    if (SPOT.test(coin)) return true
    this.positions.set(coin, start + signed)
    return (
      known === undefined || Math.abs(known - start) <= TOLERANCE * Math.max(1, Math.abs(start))
    )
  }

  /** The fills so far, newest first: the next one of a coin follows on the newest. */
  begin(fills: readonly Element[]): void {
    for (const fill of fills) if (!this.positions.has(fill.coin)) this.follows(fill)
  }

  /** Nothing is known of what comes next: of the coins of some fills, or of any. */
  clear(fills?: readonly Element[]): void {
    if (fills === undefined) this.positions.clear()
    else for (const { coin } of fills) this.positions.delete(coin)
  }
}

const SPOT = /[@/]/
