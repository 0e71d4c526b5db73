/** Perpetual positions that were closed in a span of time. */
import { sql } from 'drizzle-orm'
import type { TapeMs } from '../../clock/instant.ts'
import { perWorld } from '../per-world.ts'
import { type InstrumentRow, position } from '../schema.ts'
import type { World } from '../world.ts'
import { columns, present, type RowOf } from './columns.ts'

const CLOSED = columns({
  id: position.id,
  instrument: position.instrument,
  direction: position.direction,
  isolated: position.isolated,
  leverage: position.leverage,
  openMs: position.openMs,
  closeMs: present(position.closeMs),
  openSz: position.openSz,
  openNotional: position.openNotional,
  closeSz: position.closeSz,
  closeNotional: position.closeNotional,
  closedPnl: position.closedPnl,
  fees: position.fees,
})

export interface ClosedPosition extends Omit<RowOf<typeof CLOSED>, 'instrument'> {
  instrument: InstrumentRow
}

export interface ClosingRange {
  /** Both are in it. */
  fromMs: TapeMs
  toMs: TapeMs
  instrument?: number | null
}

/** Newest first by closing; at most `limit` after the first `skip`. */
export function closedPositions(
  world: World,
  trader: number,
  { fromMs, toMs, instrument = null }: ClosingRange,
  { limit = -1, skip = 0 }: { limit?: number; skip?: number } = {},
): ClosedPosition[] {
  const rows = statements(world).closed.all(trader, fromMs, toMs, instrument, limit, skip)
  return rows.map((row) => ({
    ...row,
    instrument: world.instruments[row.instrument] as InstrumentRow,
  }))
}

/** How many there are. */
export function countClosedPositions(
  world: World,
  trader: number,
  { fromMs, toMs, instrument = null }: ClosingRange,
): number {
  return statements(world).count.get(trader, fromMs, toMs, instrument)?.n ?? 0
}

type InRange = [trader: number, fromMs: TapeMs, toMs: TapeMs, instrument: number | null]

const statements = perWorld(({ db }) => {
  const from = `from position where trader = ?1 and closeMs >= ?2 and closeMs <= ?3
    and (?4 is null or instrument = ?4)`
  return {
    closed: CLOSED.prepare<[...InRange, limit: number, skip: number]>(
      db,
      `${from} order by closeMs desc, id desc limit ?5 offset ?6`,
    ),
    count: columns({ n: sql<number>`count(*)` }).prepare<InRange>(db, from),
  }
})
