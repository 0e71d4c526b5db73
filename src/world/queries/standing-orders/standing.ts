/**
 * Orders of everybody that stand open at an instant. Those that live long are kept in memory; of
 * the others only the ones placed lately can still be open.
 */
import { notionalOf } from '../../accounting/position.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'

/** An open order as far as the market sees it. */
export interface Standing {
  oid: number
  instrument: InstrumentRow
  side: 'A' | 'B'
  isTrigger: boolean
  /** What is left of it, size units. */
  sz: number
  /** limitPx x sz, micro-dollars. */
  value: number
}

/** In no order; of one instrument, or of all for null. */
export function standingAt(
  world: World,
  atMs: number,
  instrument: InstrumentRow | null,
): Standing[] {
  const { recent, filled } = statements(world)
  const rows = [
    ...longLived(world).filter(([, timeMs, endMs]) => timeMs <= atMs && isAfter(endMs, atMs)),
    ...(recent.values(atMs - LONG_MS, atMs, atMs, LONG_MS) as Values[]),
  ]
  return rows
    .filter(([, , , id]) => instrument === null || id === instrument.id)
    .map(([oid, , , id, side, limitPx, origSz, filledSz, triggerPx]) => {
      const of = world.instruments[id] as InstrumentRow
      const done = filledSz === 0 ? 0 : ((filled.values(oid, atMs)[0] as [number])[0] ?? 0)
      const sz = origSz - done
      const value = notionalOf(limitPx, sz, of, MONEY_DECIMALS)
      return { oid, instrument: of, side, isTrigger: triggerPx !== null, sz, value }
    })
}

const isAfter = (endMs: number | null, atMs: number) => endMs === null || endMs > atMs

/** Most orders are gone after that. */
const LONG_MS = 90_000

type Values = [
  oid: number,
  timeMs: number,
  endMs: number | null,
  instrument: number,
  side: 'A' | 'B',
  limitPx: number,
  origSz: number,
  filledSz: number,
  triggerPx: number | null,
]

const COLUMNS = 'oid, timeMs, endMs, instrument, side, limitPx, origSz, filledSz, triggerPx'

const longLived = perWorld(
  ({ db }) =>
    db
      .prepare(`select ${COLUMNS} from orders where endMs is null or endMs - timeMs > ?`)
      .values(LONG_MS) as Values[],
)

const statements = perWorld(({ db }) => ({
  recent: db.prepare(
    `select ${COLUMNS} from orders where timeMs > ? and timeMs <= ? and endMs > ?
     and endMs - timeMs <= ?`,
  ),
  filled: db.prepare('select coalesce(sum(sz), 0) from fill where oid = ? and timeMs <= ?'),
}))
