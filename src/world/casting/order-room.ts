import { add, type Px, type Sz, ZERO } from '../../decimal/quantity.ts'
import type { InstrumentRow, OrderRow } from '../schema.ts'
import { Agenda } from './agenda.ts'
import type { Trader } from './people.ts'
import type { Rows, Untimed } from './rows.ts'

/** An order that has not ended. */
export interface Resting extends Untimed<OrderRow> {
  owner: Trader
  /** When its owner will cancel it if nothing happens before; null for never. */
  plannedMs: number | null
  /** The market's price when it was placed. */
  anchorPx: Px
}

/** Where an order is placed. */
interface Priced {
  readonly row: Pick<InstrumentRow, 'id'>
  readonly px: Px
}

/** What has to be said to place an order; the rest has its usual value. */
export type Placing = Pick<Untimed<OrderRow>, 'timeMs' | 'side' | 'limitPx' | 'origSz'> &
  Partial<Untimed<OrderRow>>

/** Order numbers that one millisecond has room for. */
const PER_MS = 128
const FIRST_OID = 100_000_000_000
/** No order is dated further back than this. */
const BACK_MS = 200_000

/**
 * All orders of the story: numbers them, fills them, ends them and writes each once it has ended.
 */
export class OrderRoom {
  private readonly open = new Set<Resting>()
  private readonly ends = new Agenda<Resting>()
  private readonly used = new Map<number, number>()

  constructor(
    private readonly rows: Rows,
    private readonly storyStartMs: number,
  ) {}

  get openCount(): number {
    return this.open.size
  }

  place(owner: Trader, market: Priced, placing: Placing): Resting {
    const order: Resting = {
      oid: this.number(placing.timeMs),
      trader: owner.id,
      instrument: market.row.id,
      timeMs: placing.timeMs,
      side: placing.side,
      limitPx: placing.limitPx,
      origSz: placing.origSz,
      filledSz: ZERO,
      orderType: placing.orderType ?? 'Limit',
      tif: placing.tif === undefined ? 'Gtc' : placing.tif,
      reduceOnly: placing.reduceOnly ?? false,
      triggerPx: placing.triggerPx ?? null,
      triggerCondition: placing.triggerCondition ?? 'N/A',
      positionTpsl: placing.positionTpsl ?? false,
      cloid: placing.cloid ?? null,
      twap: placing.twap ?? null,
      builder: owner.builder ? owner.builder.id : null,
      endMs: null,
      endStatus: null,
      hash: placing.hash ?? null,
      owner,
      plannedMs: null,
      anchorPx: market.px,
    }
    this.open.add(order)
    return order
  }

  /** Lets an order be cancelled by its owner at a time to come, if it is still open then. */
  expire(order: Resting, timeMs: number): void {
    order.plannedMs = timeMs
    this.ends.put(timeMs, order)
  }

  fill(order: Resting, sz: Sz, timeMs: number): void {
    order.filledSz = add(order.filledSz, sz)
    if (order.filledSz > order.origSz) throw new Error(`order ${order.oid} is overfilled`)
    if (order.filledSz === order.origSz) this.end(order, timeMs, 'filled')
  }

  end(order: Resting, timeMs: number, status: 'filled' | 'canceled'): void {
    if (order.endMs !== null) return
    order.endMs = timeMs
    order.endStatus = status
    if (status === 'canceled') order.hash = null
    this.write(order)
  }

  /** Ends what has expired by now. */
  tick(timeMs: number): void {
    for (let order = this.ends.take(timeMs); order; order = this.ends.take(timeMs))
      this.end(order, order.plannedMs ?? timeMs, 'canceled')
    if (this.used.size > 50_000)
      for (const ms of this.used.keys()) if (ms < timeMs - BACK_MS) this.used.delete(ms)
  }

  /** Writes the orders that are open for ever. */
  finish(): void {
    for (const order of [...this.open].sort((a, b) => a.oid - b.oid)) this.write(order)
  }

  private write(order: Resting): void {
    this.open.delete(order)
    this.rows.add('orders', order)
  }

  private number(timeMs: number): number {
    let ms = timeMs - this.storyStartMs
    while ((this.used.get(ms + this.storyStartMs) ?? 0) >= PER_MS) ms++
    const place = this.used.get(ms + this.storyStartMs) ?? 0
    this.used.set(ms + this.storyStartMs, place + 1)
    return FIRST_OID + ms * PER_MS + place
  }
}
