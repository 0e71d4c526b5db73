/** Perpetual positions that were closed in a span of time. */
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'

/** Money in micro-dollars, sizes in size units. */
export interface Round {
  id: number
  instrument: InstrumentRow
  direction: 'long' | 'short'
  isolated: boolean
  leverage: number
  openMs: number
  closeMs: number
  openSz: number
  openNotional: number
  closeSz: number
  closeNotional: number
  closedPnl: number
  fees: number
}

export interface Span {
  /** Both are in it. */
  fromMs: number
  toMs: number
  instrument?: number | null
}

/** Newest first by closing; at most `limit` after the first `skip`. */
export function closedRounds(
  world: World,
  trader: number,
  { fromMs, toMs, instrument = null }: Span,
  { limit = -1, skip = 0 }: { limit?: number; skip?: number } = {},
): Round[] {
  const rows = statements(world).closed.all(trader, fromMs, toMs, instrument, limit, skip) as Row[]
  return rows.map(({ instrument: id, isolated, ...rest }) => ({
    ...rest,
    isolated: isolated === 1,
    instrument: world.instruments[id] as InstrumentRow,
  }))
}

/** How many there are. */
export function closedCount(
  world: World,
  trader: number,
  { fromMs, toMs, instrument = null }: Span,
): number {
  const [row] = statements(world).count.values(trader, fromMs, toMs, instrument)
  return (row as [number])[0]
}

const DAY_MS = 86_400_000

/** First instant of a period of so many days back; 0 days are all time. */
export const periodStart = (days: number, atMs: number) => (days === 0 ? 0 : atMs - days * DAY_MS)

type Row = Omit<Round, 'instrument' | 'isolated'> & { instrument: number; isolated: number }

const statements = perWorld(({ db }) => {
  const where = `from position where trader = ?1 and closeMs >= ?2 and closeMs <= ?3
    and (?4 is null or instrument = ?4)`
  return {
    closed: db.prepare(
      `select id, instrument, direction, isolated, leverage, openMs, closeMs, openSz, openNotional,
       closeSz, closeNotional, closedPnl, fees ${where}
       order by closeMs desc, id desc limit ?5 offset ?6`,
    ),
    count: db.prepare(`select count(*) ${where}`),
  }
})
