import { later, type TapeMs } from '../../../clock/instant.ts'
import { type Sz, subtract, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { notionalOf } from '../../accounting/position.ts'
import { columns } from '../../rows/columns.ts'
import { type InstrumentRow, orders } from '../../schema.ts'
import type { World } from '../../world.ts'
import { filledOf } from '../order-rows.ts'
import { perWorld } from '../per-world.ts'

/** An open order as far as the market sees it. */
export interface Standing {
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
export function standingAt(
  world: World,
  atMs: TapeMs,
  instrument: InstrumentRow | null,
): Standing[] {
  const rows = [
    ...longLived(world).filter(({ timeMs, endMs }) => timeMs <= atMs && isAfter(endMs, atMs)),
    ...recent(world).all(later(atMs, -LONG_MS), atMs, atMs, LONG_MS),
  ]
  return rows
    .filter((row) => instrument === null || row.instrument === instrument.id)
    .map(({ oid, instrument: id, side, limitPx, origSz, filledSz, triggerPx }) => {
      const of = world.instruments[id] as InstrumentRow
      const done = filledSz === ZERO ? null : filledOf(world).get(oid, atMs)
      const sz = subtract(origSz, done?.sz ?? ZERO)
      const value = notionalOf(limitPx, sz, of)
      return { oid, instrument: of, side, isTrigger: triggerPx !== null, sz, value }
    })
}

const isAfter = (endMs: number | null, atMs: TapeMs) => endMs === null || endMs > atMs

/** Most orders are gone after that. */
const LONG_MS = 90_000

const COLUMNS = columns({
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

const longLived = perWorld(({ db }) =>
  COLUMNS.prepare<[longMs: number]>(
    db,
    'from orders where endMs is null or endMs - timeMs > ?',
  ).all(LONG_MS),
)

const recent = perWorld(({ db }) =>
  COLUMNS.prepare<[afterMs: TapeMs, atMs: TapeMs, same: TapeMs, longMs: number]>(
    db,
    'from orders where timeMs > ? and timeMs <= ? and endMs > ? and endMs - timeMs <= ?',
  ),
)
