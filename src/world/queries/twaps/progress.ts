/** Rows of TWAPs, and how far each has come by a moment. */
import { positionValue } from '../../accounting/margin.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { markPx } from '../purse.ts'

/** As stored; the end and what is executed are only true from endMs on. */
export interface TwapRow {
  id: number
  trader: number
  instrument: number
  side: 'B' | 'A'
  sz: number
  minutes: number
  reduceOnly: number
  randomize: number
  timeMs: number
  plannedEndMs: number
  endMs: number | null
  endStatus: 'finished' | 'terminated' | null
  executedSz: number
  executedNotional: number
}

/** A TWAP as it stands: sizes in size units, money in micro-dollars. */
export interface Going {
  row: TwapRow
  of: InstrumentRow
  executedSz: number
  executedNotional: number
  left: number
  /** Of what is left, at the mark price. */
  value: number
}

/** What is executed by the moment, and what is left. */
export function progressOf(world: World, row: TwapRow, atMs: number): Going {
  const of = world.instruments[row.instrument] as InstrumentRow
  const [executedSz, executedNotional] = executedBy(world, row, atMs)
  const left = row.sz - executedSz
  const value = positionValue(left, markPx(world, of, atMs) ?? 0, of)
  return { row, of, executedSz, executedNotional, left, value }
}

/** Those of a trader, newest first; of all instruments for null. */
export function latestOf(
  world: World,
  trader: number,
  instrument: InstrumentRow | null,
  atMs: number,
  limit: number,
): TwapRow[] {
  const only = instrument?.id ?? null
  return statements(world).latest.all(trader, atMs, only, only, limit) as TwapRow[]
}

/** Those that run at the moment, oldest first; of all instruments for null. */
export function runningAt(world: World, atMs: number, instrument: InstrumentRow | null): TwapRow[] {
  const only = instrument?.id ?? null
  const fromMs = atMs - longestMs(world)
  return statements(world).running.all(fromMs, atMs, atMs, only, only) as TwapRow[]
}

function executedBy(world: World, row: TwapRow, atMs: number): [number, number] {
  if (row.endMs !== null && row.endMs <= atMs) return [row.executedSz, row.executedNotional]
  return statements(world).executed.values(row.id, atMs)[0] as [number, number]
}

/** Longest time between start and end that there is: an older one runs no more. */
const longestMs = perWorld(({ db, endMs }) => {
  const longest = db.prepare('select max(coalesce(endMs, ?) - timeMs) from twap')
  return (longest.values(endMs)[0]?.[0] as number | null) ?? 0
})

const statements = perWorld(({ db }) => {
  const twaps = `select id, trader, instrument, side, sz, minutes, reduceOnly, randomize, timeMs,
    timeMs + minutes * 60000 as plannedEndMs, endMs, endStatus, executedSz, executedNotional
    from twap`
  const only = '(? is null or instrument = ?)'
  return {
    latest: db.prepare(
      `${twaps} where trader = ? and timeMs <= ? and ${only} order by timeMs desc, id desc limit ?`,
    ),
    running: db.prepare(
      `${twaps} where timeMs between ? and ? and (endMs is null or endMs > ?) and ${only}
       order by timeMs, id`,
    ),
    executed: db.prepare(
      `select coalesce(sum(sz), 0), coalesce(sum(notional), 0) from fill
       where twap = ? and timeMs <= ?`,
    ),
  }
})
