/**
 * Orders of all accounts that are open at an instant. Those that live long are kept in memory; of
 * the others only the ones placed lately can still be open.
 */
import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import { type Sz, subtract, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { notionalOf } from '../../../accounting/position.ts'
import { perWorld } from '../../../per-world.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { filledOf } from '../../../rows/order-rows.ts'
import { type InstrumentRow, LONG_LIVED, LONG_LIVED_MS, orders } from '../../../schema.ts'
import type { World } from '../../../world.ts'

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
  const { ended, others } = longLivedOrders(world)
  yield
  const open = ({ timeMs, endMs }: Placed) => timeMs <= atMs && endsAfter(endMs, atMs)
  const lasting = [...ended.filter(open), ...others.filter(open)]
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

const endsAfter = (endMs: TapeMs | null, atMs: TapeMs) => endMs === null || endMs > atMs

const PLACED = columns({
  oid: orders.oid,
  timeMs: orders.timeMs,
  endMs: orders.endMs,
  instrument: orders.instrument,
  side: orders.side,
  limitPx: orders.limitPx,
  origSz: orders.origSz,
  filledSz: orders.filledSz,
  triggerPx: orders.triggerPx,
})

type Placed = RowOf<typeof PLACED>

/** Those that have ended, and those that may end later than they say as the world grows. */
export interface LongLivedOrders {
  ended: readonly Placed[]
  others: readonly Placed[]
  endMs: TapeMs
}

/** Those that stay for a while: of all instants, few. */
export const longLivedOrders = perWorld<LongLivedOrders>(
  (world) => longLived(world, [], statements(world).all.all()),
  ({ ended, endMs }, world) => longLived(world, ended, statements(world).endingLater.all(endMs)),
)

function longLived(
  world: World,
  before: readonly Placed[],
  rows: readonly Placed[],
): LongLivedOrders {
  const { endMs: untilMs } = world
  const [ended, others]: [Placed[], Placed[]] = [[...before], []]
  for (const row of rows)
    if (row.endMs !== null && row.endMs <= untilMs) ended.push(row)
    else others.push(row)
  return { ended, others, endMs: untilMs }
}

const statements = perWorld(({ db }) => ({
  all: PLACED.prepare<[]>(db, `from orders where ${LONG_LIVED}`),
  // By the index of ends: few end after an instant, and all that ever stayed are many.
  endingLater: PLACED.prepare<[afterMs: TapeMs]>(
    db,
    `from (select * from orders where endMs > ? and endMs - timeMs > ${LONG_LIVED_MS}
           union all select * from orders where endMs is null) orders`,
  ),
}))

const recent = perWorld(({ db }) =>
  PLACED.prepare<[afterMs: TapeMs, toMs: TapeMs, atMs: TapeMs, longMs: number]>(
    db,
    'from orders where timeMs > ? and timeMs <= ? and endMs > ? and endMs - timeMs <= ?',
  ),
)
