/**
 * Orders of all accounts that are open at an instant. Those that live long are kept in memory; of
 * the others only the ones placed lately can still be open.
 */
import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import { type Sz, subtract, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { notionalOf } from '../../../accounting/position.ts'
import { perWorld } from '../../../per-world.ts'
import { filledOf } from '../../../rows/order-rows.ts'
import { type InstrumentRow, LONG_LIVED_MS } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { longLivedOrders, PLACED, type Placed } from './long-lived-orders.ts'

/** An open order as far as the market sees it. */
export interface MarketOpenOrder {
  oid: number
  instrument: InstrumentRow
  side: 'A' | 'B'
  isTrigger: boolean
  /** What is left of it. */
  sz: Sz
  /** limitPx x sz. */
  value: Usd
}

/** In no order; of one instrument, or of all for null. */
export function* openOrdersAt(
  world: World,
  atMs: TapeMs,
  instrument: InstrumentRow | null,
): Slices<MarketOpenOrder[]> {
  const lasting = longLivedOrders(world).at(atMs)
  yield
  const lately = recent(world).all(later(atMs, -LONG_LIVED_MS), atMs, atMs, LONG_LIVED_MS)
  // One whose end is yet to come may be found as one that ends soon.
  const known = new Set(lasting.map(({ oid }) => oid))
  const all = [...lasting, ...lately.filter(({ oid }) => !known.has(oid))]
  const found: MarketOpenOrder[] = []
  yield
  for (const row of all) {
    if (instrument !== null && row.instrument !== instrument.id) continue
    found.push(marketOrder(world, row, atMs))
    if (found.length % ORDERS_A_SLICE === 0) yield
  }
  return found
}

/** Of most nothing is looked up; of some what has been filled. */
const ORDERS_A_SLICE = 200

function marketOrder(world: World, row: Placed, atMs: TapeMs): MarketOpenOrder {
  const { oid, side, limitPx, origSz, filledSz, triggerPx } = row
  const of = world.instruments[row.instrument] as InstrumentRow
  const done: Sz = filledSz === ZERO ? ZERO : (filledOf(world).get(oid, atMs)?.sz ?? ZERO)
  const sz = subtract(origSz, done)
  const value = notionalOf(limitPx, sz, of)
  return { oid, instrument: of, side, isTrigger: triggerPx !== null, sz, value }
}

const recent = perWorld(({ db }) =>
  PLACED.prepare<[afterMs: TapeMs, toMs: TapeMs, atMs: TapeMs, longMs: number]>(
    db,
    'from orders where timeMs > ? and timeMs <= ? and endMs > ? and endMs - timeMs <= ?',
  ),
)
