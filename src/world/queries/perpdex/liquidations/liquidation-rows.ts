import type { TapeMs } from '../../../../clock/instant.ts'
import { perWorld } from '../../../per-world.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { type InstrumentRow, liquidation } from '../../../schema.ts'
import type { World } from '../../../world.ts'

const { instrument, timeMs, trader, direction, sz, notional, closedPnl, oid } = liquidation
const CLOSINGS = columns({
  instrument,
  timeMs,
  trader,
  direction,
  sz,
  notional,
  closedPnl,
  /** Tells the accounts of the crowd apart. */
  oid,
})

/** A liquidation. */
export type Closing = RowOf<typeof CLOSINGS>

/** Liquidations with fromMs <= time <= toMs, oldest first; of all instruments for null. */
export function liquidationsBetween(
  world: World,
  of: InstrumentRow | null,
  fromMs: TapeMs,
  toMs: TapeMs,
): Closing[] {
  const { all, one } = statements(world)
  return of === null ? all.all(fromMs, toMs) : one.all(of.id, fromMs, toMs)
}

const statements = perWorld(({ db }) => {
  const order = 'timeMs between ? and ? order by timeMs, id'
  return {
    all: CLOSINGS.prepare<[fromMs: TapeMs, toMs: TapeMs]>(db, `from liquidation where ${order}`),
    one: CLOSINGS.prepare<[instrument: number, fromMs: TapeMs, toMs: TapeMs]>(
      db,
      `from liquidation where instrument = ? and ${order}`,
    ),
  }
})
