/** Changes in the open orders of accounts, instant by instant. */

import type { TapeMs } from '../../clock/instant.ts'
import type { FilledOrder } from '../../contract/records/order.ts'
import type { TimelineEvent } from '../../contract/timeline.ts'
import { ZERO } from '../../decimal/quantity.ts'
import { columns, present } from '../rows/columns.ts'
import { filledOrder, ORDER_COLUMNS, type StoredOrder } from '../rows/order-rows.ts'
import { tradersOf } from '../rows/traders.ts'
import { type InstrumentRow, orders } from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'

type OrderTimelineEvent = Extract<TimelineEvent, { kind: 'order' }>

/** The relevant part of a fill. */
export interface RestingFill {
  timeMs: TapeMs
  trader: number
  instrument: number
}

/**
 * The order events with fromMs <= time < toMs, by time and then by cause. One covers all changes of
 * an account's open orders of a dex at an instant; where several partly filled orders end at once,
 * there is one for each.
 *
 * `resting` are the fills of resting orders in that span: a taker's order is never open.
 */
export function orderChanges(
  world: World,
  fromMs: TapeMs,
  toMs: TapeMs,
  resting: readonly RestingFill[],
): OrderTimelineEvent[] {
  const { placed, ended } = statements(world)
  const changes: OrderChangeRow[] = []
  for (const row of placed.all(fromMs, toMs)) changes.push({ ...row, ended: null })
  for (const { timeMs, trader, instrument } of resting)
    changes.push({ timeMs, trader, instrument, ended: null })
  for (const { timeMs, trader, instrument, oid, filledSz } of ended.all(fromMs, toMs))
    changes.push({ timeMs, trader, instrument, ended: filledSz > ZERO ? oid : null })
  changes.sort((a, b) => a.timeMs - b.timeMs)
  return orderEvents(world, changes)
}

interface OrderChangeRow {
  timeMs: TapeMs
  trader: number
  instrument: number
  /** The partly filled order that ended. */
  ended: number | null
}

/** One event for each account and instant, or for each partly filled order that ended there. */
function orderEvents(world: World, changes: readonly OrderChangeRow[]): OrderTimelineEvent[] {
  const { address } = tradersOf(world)
  const events: OrderEvent[] = []
  let ofInstant = new Map<string, OrderEvent>()
  let instantMs = -1
  for (const { timeMs, trader, instrument, ended } of changes) {
    if (timeMs !== instantMs) ofInstant = new Map()
    instantMs = timeMs
    const { dex } = world.instruments[instrument] as InstrumentRow
    const key = dex === '' ? String(trader) : `${trader}/${dex}`
    const known = ofInstant.get(key)
    if (known && (ended === null || known.oid === null)) {
      known.oid ??= ended
      continue
    }
    const change = new OrderEvent(world, timeMs, address(trader), dex, known === undefined, ended)
    ofInstant.set(key, change)
    events.push(change)
  }
  return events
}

/** Formatted only when the account has a subscriber, which most never have. */
class OrderEvent {
  readonly kind = 'order'
  private written: FilledOrder | null = null

  constructor(
    private readonly world: World,
    readonly timeMs: TapeMs,
    readonly address: string,
    readonly dex: string,
    readonly first: boolean,
    public oid: number | null,
  ) {}

  get ended(): FilledOrder | null {
    if (this.oid === null) return null
    if (this.written) return this.written
    const row = statements(this.world).byId.get(this.oid) as StoredOrder
    this.written = filledOrder(this.world, row)
    return this.written
  }
}

const { oid, trader, instrument, timeMs, endMs, filledSz } = orders
const PLACED = columns({ trader, instrument, timeMs })
const ENDED = columns({ trader, instrument, timeMs: present(endMs), oid, filledSz })
type Span = [fromMs: TapeMs, toMs: TapeMs]

const statements = perWorld(({ db }) => ({
  // Orders that end when they begin are never open.
  placed: PLACED.prepare<Span>(
    db,
    `from orders where timeMs >= ? and timeMs < ? and (endMs is null or endMs > timeMs)
     order by orders.timeMs, orders.oid`,
  ),
  ended: ENDED.prepare<Span>(
    db,
    `from orders where endMs >= ? and endMs < ? and (endMs > orders.timeMs or filledSz > 0)
     order by endMs, oid`,
  ),
  byId: ORDER_COLUMNS.prepare<[oid: number]>(db, 'from orders o where o.oid = ?'),
}))
