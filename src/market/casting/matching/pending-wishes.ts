import { absolute, type Px, raw, type Sz, subtract, ZERO } from '../../../decimal/quantity.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { Wish } from '../venue.ts'
import type { TradePrint } from './taker-order.ts'

/** A wish that has found no trade for so long is given up. */
const PATIENCE_MS = 600_000

/** A wish takes no trades that are so much smaller: nobody takes part in all that is traded. */
const PARTS_MAX = 40

/** A wish that waits for a trade of the tape. */
export interface PendingWish {
  wish: Wish
  left: Sz
  untilMs: number
}

/** What traders want on the tape, until a trade of it fits. */
export class PendingWishes {
  private readonly byMarket = new Map<MarketState, PendingWish[]>()

  add(wish: Wish, timeMs: number): void {
    const { market } = wish.holding
    // Of a TWAP only the latest slice waits.
    const others = this.of(market).filter(
      (one) => !wish.program || one.wish.program !== wish.program,
    )
    const pending = { wish, left: wish.sz, untilMs: timeMs + PATIENCE_MS }
    this.byMarket.set(market, [...others, pending])
  }

  /** The wish to take that an order's first trades fit, and as many of these as do. */
  toTake(
    market: MarketState,
    side: 'B' | 'A',
    prints: readonly TradePrint[],
    timeMs: number,
  ): { pending: PendingWish; prints: readonly TradePrint[] } | undefined {
    const [first] = prints
    const pending = this.find(market, timeMs, ({ wish, left }) => {
      return wish.limitPx === null && wish.side === side && first && isPart(first.sz, wish, left)
    })
    if (!pending) return undefined
    let count = 0
    for (let { left } = pending; count < prints.length; count++) {
      const { sz } = prints[count] as TradePrint
      if (sz > left) break
      left = subtract(left, sz)
    }
    return { pending, prints: prints.slice(0, count) }
  }

  /** The waiting order that a taker's trade meets; not one of his own. */
  toMeet(
    market: MarketState,
    side: 'B' | 'A',
    print: { px: Px; sz: Sz },
    taker: Holding | null,
    timeMs: number,
  ): PendingWish | undefined {
    return this.find(market, timeMs, ({ wish, left }) => {
      const { limitPx } = wish
      if (limitPx === null || wish.side !== side || wish.holding === taker) return false
      if (!isPart(print.sz, wish, left)) return false
      return side === 'B' ? print.px <= limitPx : print.px >= limitPx
    })
  }

  /** A trade was given to a wish. */
  give(pending: PendingWish, sz: Sz): void {
    const { market } = pending.wish.holding
    pending.left = subtract(pending.left, sz)
    // A slice is one order, whatever is left of it.
    if (pending.left > ZERO && !pending.wish.program) return
    this.byMarket.set(
      market,
      this.of(market).filter((one) => one !== pending),
    )
  }

  private of(market: MarketState): PendingWish[] {
    return this.byMarket.get(market) ?? []
  }

  private find(
    market: MarketState,
    timeMs: number,
    fits: (pending: PendingWish) => boolean | undefined,
  ) {
    const all = this.of(market)
    if (all.length === 0) return undefined
    const waiting = all.filter((pending) => !isOver(pending, timeMs))
    if (waiting.length < all.length) this.byMarket.set(market, waiting)
    return waiting.find(fits)
  }
}

/** Whether a trade is a part of a wish that is worth its while. */
function isPart(sz: Sz, wish: Wish, left: Sz): boolean {
  return sz <= left && raw(sz) >= Math.min(raw(wish.sz) / PARTS_MAX, raw(left) / 4)
}

function isOver({ wish, left, untilMs }: PendingWish, timeMs: number): boolean {
  const { holding, reduceOnly, side, program, order } = wish
  if (timeMs > untilMs || (order && order.endMs !== null)) return true
  if (program && program.endMs !== null) return true
  if (!reduceOnly) return false
  return holding.sz > ZERO !== (side === 'A') || absolute(holding.sz) < left
}
