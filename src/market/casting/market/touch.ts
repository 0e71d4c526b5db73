import { type Px, raw } from '../../../decimal/quantity.ts'
import { TimedQueue } from '../timed-queue.ts'

/** What is known of an order here. */
interface Placed {
  readonly side: 'B' | 'A'
  readonly limitPx: Px
}

/** No order is dated back by more than this. */
const REMEMBERED_MS = 200_000

/**
 * The best prices of an instrument's book while the world is cast, and the orders that must not
 * cross them: one that the book has passed cannot still rest in it.
 */
export class Touch<O extends Placed> {
  private readonly sides = { B: new SideWatch<O>(1), A: new SideWatch<O>(-1) }

  /** The best prices from an instant on; null for an empty side. Gives the orders they cross. */
  move(timeMs: number, bid: Px | null, ask: Px | null): O[] {
    // What sells is crossed by what is bid, and the other way round.
    const sales = this.sides.A.move(timeMs, bid === null ? null : raw(bid))
    const purchases = this.sides.B.move(timeMs, ask === null ? null : raw(ask))
    return [...sales, ...purchases]
  }

  /** Has an order answered by `move` once it is crossed; some of those have ended by then. */
  watch(order: O): void {
    this.sides[order.side].watch(order)
  }

  /** Whether an order of a side at a price would trade at once. */
  crosses(side: 'B' | 'A', px: Px): boolean {
    return this.sides[side].crosses(raw(px))
  }

  /** The first instant from which on an order of a side could have rested at a price up to now. */
  freeFromMs(side: 'B' | 'A', px: Px, nowMs: number): number {
    return this.sides[side].freeFromMs(raw(px), nowMs)
  }
}

/** A best price that held until an instant. */
interface Passed {
  px: number
  untilMs: number
}

/** The orders of one side, and the best price of the other, upside down for those that sell. */
class SideWatch<O extends Placed> {
  private best: number | null = null
  private readonly orders = new TimedQueue<O>()
  /** Of the past, oldest first: each was nearer to these orders than all that came after it. */
  private passed: Passed[] = []

  /** @param sign 1 for orders that buy, which lower prices of the other side cross; else -1 */
  constructor(private readonly sign: 1 | -1) {}

  move(timeMs: number, px: number | null): O[] {
    const best = px === null ? null : px * this.sign
    if (best === this.best) return []
    if (this.best !== null) this.remember(this.best, timeMs)
    this.best = best
    const crossed: O[] = []
    if (best === null) return crossed
    for (let order = this.orders.take(-best); order; order = this.orders.take(-best))
      crossed.push(order)
    return crossed
  }

  watch(order: O): void {
    this.orders.put(-raw(order.limitPx) * this.sign, order)
  }

  crosses(px: number): boolean {
    return this.best !== null && this.best <= px * this.sign
  }

  freeFromMs(px: number, nowMs: number): number {
    if (this.crosses(px)) return nowMs
    const last = this.passed.findLast((one) => one.px <= px * this.sign)
    return last?.untilMs ?? Number.NEGATIVE_INFINITY
  }

  private remember(px: number, untilMs: number): void {
    while ((this.passed.at(-1)?.px ?? Number.NEGATIVE_INFINITY) >= px) this.passed.pop()
    this.passed.push({ px, untilMs })
    const first = this.passed[0]
    if (first && first.untilMs < untilMs - 2 * REMEMBERED_MS)
      this.passed = this.passed.filter((one) => one.untilMs >= untilMs - REMEMBERED_MS)
  }
}
