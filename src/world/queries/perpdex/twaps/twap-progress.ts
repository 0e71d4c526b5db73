/** Rows of TWAPs, and how far each has come by a moment. */
import { sql } from 'drizzle-orm'
import { later, type TapeMs } from '../../../../clock/instant.ts'
import { type Sz, subtract, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { perWorld } from '../../../per-world.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { fill, type InstrumentRow, twap } from '../../../schema.ts'
import type { World } from '../../../world.ts'

const TWAPS = columns({
  id: twap.id,
  trader: twap.trader,
  instrument: twap.instrument,
  side: twap.side,
  sz: twap.sz,
  minutes: twap.minutes,
  reduceOnly: twap.reduceOnly,
  randomize: twap.randomize,
  timeMs: twap.timeMs,
  plannedEndMs: sql<TapeMs>`${twap.timeMs} + ${twap.minutes} * 60000`,
  endMs: twap.endMs,
  endStatus: twap.endStatus,
  executedSz: twap.executedSz,
  executedNotional: twap.executedNotional,
})

/** As stored; the end and what is executed are only true from endMs on. */
export type StoredTwap = RowOf<typeof TWAPS>

interface Executed {
  executedSz: Sz
  executedNotional: Usd
}

/** The progress of a TWAP. */
export interface TwapProgress extends Executed {
  row: StoredTwap
  of: InstrumentRow
  left: Sz
  /** Of what is left, at the mark price. */
  value: Usd
}

/** What is executed by the moment, and what is left. */
export function twapProgress(world: World, row: StoredTwap, atMs: TapeMs): TwapProgress {
  const of = world.instruments[row.instrument] as InstrumentRow
  const { executedSz, executedNotional } = executedUntil(world, row, atMs)
  const left = subtract(row.sz, executedSz)
  const value = positionValue(left, markPx(world, of, atMs) ?? ZERO, of)
  return { row, of, executedSz, executedNotional, left, value }
}

/** Those of a trader, newest first; of all instruments for null. */
export function latestTwaps(
  world: World,
  trader: number,
  instrument: InstrumentRow | null,
  atMs: TapeMs,
  limit: number,
): StoredTwap[] {
  const only = instrument?.id ?? null
  return statements(world).latest.all(trader, atMs, only, only, limit)
}

/** Those that run at the moment, oldest first; of all instruments for null. */
export function runningTwaps(
  world: World,
  atMs: TapeMs,
  instrument: InstrumentRow | null,
): StoredTwap[] {
  const only = instrument?.id ?? null
  const fromMs = later(atMs, -longestMs(world))
  return statements(world).running.all(fromMs, atMs, atMs, only, only)
}

function executedUntil(world: World, row: StoredTwap, atMs: TapeMs): Executed {
  if (row.endMs !== null && row.endMs <= atMs) return row
  return (
    statements(world).executed.get(row.id, atMs) ?? { executedSz: ZERO, executedNotional: ZERO }
  )
}

const LONGEST = columns({
  ms: sql<number | null>`max(coalesce(${twap.endMs}, ?) - ${twap.timeMs})`,
})

/** Longest time between start and end that there is: an older one runs no more. */
const longestMs = perWorld(
  ({ db, endMs }) => LONGEST.prepare<[untilMs: TapeMs]>(db, 'from twap').get(endMs)?.ms ?? 0,
  null,
)

const EXECUTED = columns({
  executedSz: sql<Sz>`coalesce(sum(${fill.sz}), 0)`,
  executedNotional: sql<Usd>`coalesce(sum(${fill.notional}), 0)`,
})

const statements = perWorld(({ db }) => {
  type Only = [instrument: number | null, same: number | null]
  const only = '(? is null or instrument = ?)'
  return {
    latest: TWAPS.prepare<[trader: number, atMs: TapeMs, ...Only, limit: number]>(
      db,
      `from twap where trader = ? and timeMs <= ? and ${only}
       order by timeMs desc, id desc limit ?`,
    ),
    running: TWAPS.prepare<[fromMs: TapeMs, toMs: TapeMs, atMs: TapeMs, ...Only]>(
      db,
      `from twap where timeMs between ? and ? and (endMs is null or endMs > ?) and ${only}
       order by timeMs, id`,
    ),
    executed: EXECUTED.prepare<[twap: number, atMs: TapeMs]>(
      db,
      'from fill where twap = ? and timeMs <= ?',
    ),
  }
})
