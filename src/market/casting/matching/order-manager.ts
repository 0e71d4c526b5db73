import { add, type Px, type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { InstrumentRow, OrderRow } from '../../schema/schema.ts'
import {
  crowdAccount,
  forcedOid,
  LIQUIDATIONS_PER_MS,
  ORDERS_PER_MS,
  oidAt,
  placeOf,
} from '../../world/crowd-address.ts'
import type { Agent } from '../agents/agents.ts'
import type { TwapProgram } from '../agents/twap-programs.ts'
import type { Holding, MarketState, Touch } from '../market/market-state.ts'
import { CalendarQueue } from '../timed-queue.ts'
import type { RowSink, Untimed } from '../writing/row-sink.ts'

/** An open order. */
export interface LiveOrder extends Untimed<OrderRow> {
  owner: Agent
  /** When its owner will cancel it; null for never. */
  plannedMs: number | null
  /** The market's price when it was placed. */
  anchorPx: Px
}

/** Market of an order. */
interface Priced {
  readonly row: Pick<InstrumentRow, 'id'>
  readonly px: Px
  readonly touch: Touch<LiveOrder>
}

/** Required fields of a new order; the others have defaults. */
export type NewOrder = Pick<Untimed<OrderRow>, 'timeMs' | 'side' | 'limitPx' | 'origSz'> &
  Partial<Untimed<OrderRow>>

/** Number of remembered instants before old ones are dropped. */
const FORGET_FROM = 4_000
/** Orders are never dated back by more than this. */
const BACKDATE_MAX_MS = 200_000

/**
 * All orders of the world: numbers, fills and ends them, and writes each once it has ended.
 */
export class OrderManager {
  private readonly open = new Set<LiveOrder>()
  private readonly changed = new Set<LiveOrder>()
  private readonly expiries = new CalendarQueue<LiveOrder>()
  private readonly oidsUsed = new Map<number, number>()
  private forgetFrom = FORGET_FROM
  private readonly forced: CrowdLiquidationNumbers

  constructor(
    private readonly rows: RowSink,
    private readonly historyStartMs: number,
  ) {
    this.forced = new CrowdLiquidationNumbers(historyStartMs)
  }

  get openCount(): number {
    return this.open.size
  }

  place(owner: Agent, market: Priced, draft: NewOrder): LiveOrder {
    const order: LiveOrder = {
      oid: this.nextOid(draft.timeMs),
      trader: owner.id,
      instrument: market.row.id,
      timeMs: draft.timeMs,
      side: draft.side,
      limitPx: draft.limitPx,
      origSz: draft.origSz,
      filledSz: ZERO,
      orderType: draft.orderType ?? 'Limit',
      tif: draft.tif === undefined ? 'Gtc' : draft.tif,
      reduceOnly: draft.reduceOnly ?? false,
      triggerPx: draft.triggerPx ?? null,
      triggerCondition: draft.triggerCondition ?? 'N/A',
      positionTpsl: draft.positionTpsl ?? false,
      cloid: draft.cloid ?? null,
      twap: draft.twap ?? null,
      builder: owner.builder ? owner.builder.id : null,
      endMs: null,
      endStatus: null,
      hash: draft.hash ?? null,
      owner,
      plannedMs: null,
      anchorPx: market.px,
    }
    this.open.add(order)
    this.changed.add(order)
    if (rests(order)) market.touch.watch(order)
    return order
  }

  /** Takes a book's new best prices and cancels the orders that they cross. */
  moveTouch({ touch }: Priced, timeMs: number, bid: Px | null, ask: Px | null): void {
    for (const order of touch.move(timeMs, bid, ask)) this.end(order, timeMs, 'canceled')
  }

  /** Earliest time that an order may have. */
  get earliestMs(): number {
    return this.rows.finalMs + 1
  }

  /** Restores an open order, on a market with a book or without one. */
  restore(order: LiveOrder, market: Pick<Priced, 'touch'> | null): void {
    this.open.add(order)
    if (market && rests(order)) market.touch.watch(order)
    this.useNumber(order.oid)
  }

  /** Marks a number as used. */
  useNumber(oid: number): void {
    const { ms, place } = placeOf(oid)
    const atMs = ms + this.historyStartMs
    this.oidsUsed.set(atMs, Math.max(this.oidsUsed.get(atMs) ?? 0, place + 1))
  }

  /**
   * Number of a crowd order, of which nothing else is kept; it identifies the account, which
   * differs from that of the order it fills.
   */
  crowdOid(timeMs: number, met?: number): number {
    const other = met === undefined ? undefined : crowdAccount(met)
    let oid = this.nextOid(timeMs)
    while (crowdAccount(oid) === other) oid = this.nextOid(timeMs)
    return oid
  }

  /** Number of an order that liquidates a crowd account. */
  forcedOid(timeMs: number): number {
    return this.forced.nextOid(timeMs)
  }

  /** Schedules the cancellation of an order, if it is still open then. */
  expire(order: LiveOrder, timeMs: number): void {
    order.plannedMs = timeMs
    this.expiries.put(timeMs, order)
  }

  fill(order: LiveOrder, sz: Sz, timeMs: number): void {
    order.filledSz = add(order.filledSz, sz)
    this.changed.add(order)
    if (order.filledSz > order.origSz) throw new Error(`order ${order.oid} is overfilled`)
    if (order.filledSz === order.origSz) this.end(order, timeMs, 'filled')
  }

  end(order: LiveOrder, timeMs: number, status: 'filled' | 'canceled'): void {
    if (order.endMs !== null) return
    order.endMs = timeMs
    order.endStatus = status
    if (status === 'canceled') order.hash = null
    this.write(order)
  }

  /** Ends expired orders. */
  tick(timeMs: number): void {
    for (let order = this.expiries.take(timeMs); order; order = this.expiries.take(timeMs))
      this.end(order, order.plannedMs ?? timeMs, 'canceled')
    if (this.oidsUsed.size < this.forgetFrom) return
    for (const ms of this.oidsUsed.keys())
      if (ms < timeMs - BACKDATE_MAX_MS) this.oidsUsed.delete(ms)
    this.forgetFrom = Math.max(FORGET_FROM, 2 * this.oidsUsed.size)
  }

  /** Writes the orders that never end. */
  finish(): void {
    for (const order of [...this.open].sort((a, b) => a.oid - b.oid)) this.write(order)
  }

  /** Writes the open orders that have changed since the last call. */
  writeChanged(): void {
    for (const order of this.changed) this.rows.add('orders', order)
    this.changed.clear()
  }

  private write(order: LiveOrder): void {
    this.open.delete(order)
    this.changed.delete(order)
    this.rows.add('orders', order)
  }

  private nextOid(timeMs: number): number {
    let ms = timeMs
    let place = this.oidsUsed.get(ms) ?? 0
    while (place >= ORDERS_PER_MS) place = this.oidsUsed.get(++ms) ?? 0
    this.oidsUsed.set(ms, place + 1)
    return oidAt({ ms: ms - this.historyStartMs, place })
  }
}

/** Whether an order waits in the book. */
const rests = ({ orderType, tif, triggerPx }: LiveOrder) =>
  orderType === 'Limit' && tif !== 'Ioc' && triggerPx === null

/** One taker order: its trades at one instant, in order. */
export interface TakerOrder {
  market: MarketState
  timeMs: number
  side: 'B' | 'A'
  prints: readonly TradePrint[]
  /** null for the crowd. */
  taker: Holding | null
  /** Its TWAP, if it is a slice. */
  program?: TwapProgram | undefined
  /** Its liquidation, if any: liquidation.id. */
  liquidation?: number | undefined
  /** Number of a continued crowd order; otherwise a new one is used. */
  oid?: number | undefined
  reduceOnly?: boolean
  /** The order, where it was placed before and its trigger has fired. */
  order?: LiveOrder | undefined
  /** Forces the crowd as counterparty. */
  fromCrowd?: boolean
}

export interface TradePrint {
  px: Px
  sz: Sz
  tid?: number | undefined
  hash?: string | undefined
  /** The maker, where the tape names it. */
  maker?: Holding | undefined
}

/** Numbers of the crowd's liquidations and of their orders, distinct from all others. */
export class CrowdLiquidationNumbers {
  private count = 0
  private readonly used = new Map<number, number>()

  constructor(private readonly historyStartMs: number) {}

  next(timeMs: number): { id: number; oid: number } {
    return { id: FIRST_ID + ++this.count, oid: this.nextOid(timeMs) }
  }

  nextOid(timeMs: number): number {
    let ms = timeMs - this.historyStartMs
    while ((this.used.get(ms) ?? 0) >= LIQUIDATIONS_PER_MS) ms++
    const place = this.used.get(ms) ?? 0
    this.used.set(ms, place + 1)
    return forcedOid('liquidation', ms, place)
  }
}

/** All other numbers are lower. */
const FIRST_ID = 1_000_000_000
