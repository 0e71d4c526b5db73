/**
 * Trades of a world in memory, an hour of an instrument at a time, with sums of each hour and
 * minute, so that any span is added up from few parts. Shared by all sandboxes on the world.
 */
import type { Statement } from 'bun:sqlite'
import { lastUpTo } from '../books/shelf.ts'
import { Cache } from '../cache.ts'
import type { World } from '../world.ts'
import { perWorld } from './per-world.ts'
import { Tally } from './tally.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** History is sparse: there a whole day is read at once. */
const HOURS_AT_ONCE = 24
/** Hours with fewer trades are added up trade by trade. */
const FEW = 256
/** Trades kept in memory; about 40 bytes each. */
const KEPT = 1_000_000

interface Hour {
  startMs: number
  rows: Row[]
  timesMs: Float64Array
  total: Tally
  /** Sums of its sixty minutes; null when there are few trades. */
  minutes: Tally[] | null
}

type Row = [timeMs: number, px: number, sz: number, notional: number, side: 'A' | 'B']

/** The trades of a world, hour by hour. */
export const tradeHoursOf = perWorld((world) => new TradeHours(world))

export class TradeHours {
  private readonly hours = new Cache<number, Hour>(KEPT, ({ rows }) => rows.length)
  private readonly between: Statement
  private readonly before: Statement
  private readonly first: Statement

  constructor(private readonly world: World) {
    const from = 'from trade where instrument = ?'
    this.between = world.db.prepare(
      `select timeMs, px, sz, notional, side ${from} and timeMs >= ? and timeMs < ?
       order by timeMs, id`,
    )
    this.before = world.db.prepare(
      `select timeMs, px ${from} and timeMs < ? order by timeMs desc, id desc limit 1`,
    )
    this.first = world.db.prepare(`select timeMs ${from} order by timeMs limit 1`)
  }

  /** Sums over the trades with fromMs <= time < toMs. */
  tally(instrument: number, fromMs: number, toMs: number): Tally {
    const tally = new Tally()
    for (let startMs = floorTo(fromMs, HOUR_MS); startMs < toMs; startMs += HOUR_MS)
      part(tally, this.hour(instrument, startMs), fromMs, toMs)
    return tally
  }

  /** The newest trade with time < beforeMs. */
  lastBefore(instrument: number, beforeMs: number): { timeMs: number; px: number } | null {
    const row = this.before.values(instrument, beforeMs)[0] as [number, number] | undefined
    return row ? { timeMs: row[0], px: row[1] } : null
  }

  /** Time of the first trade of the story. */
  firstMs(instrument: number): number | null {
    return (this.first.values(instrument)[0] as [number] | undefined)?.[0] ?? null
  }

  private hour(instrument: number, startMs: number): Hour {
    const key = keyOf(instrument, startMs)
    const known = this.hours.find(key)
    if (known) return known
    const count = startMs + HOUR_MS <= this.world.startMs ? HOURS_AT_ONCE : 1
    const firstMs = floorTo(startMs, count * HOUR_MS)
    return this.read(instrument, firstMs, count)[(startMs - firstMs) / HOUR_MS] as Hour
  }

  private read(instrument: number, startMs: number, count: number): Hour[] {
    const rows = this.between.values(instrument, startMs, startMs + count * HOUR_MS) as Row[]
    let at = 0
    return Array.from({ length: count }, (_, place) => {
      const hourMs = startMs + place * HOUR_MS
      let end = at
      while (end < rows.length && (rows[end] as Row)[0] < hourMs + HOUR_MS) end++
      const hour = hourOf(hourMs, rows.slice(at, end))
      at = end
      return this.hours.put(keyOf(instrument, hourMs), hour)
    })
  }
}

const keyOf = (instrument: number, startMs: number) => instrument * 2 ** 32 + startMs / HOUR_MS

const floorTo = (timeMs: number, lengthMs: number) => Math.floor(timeMs / lengthMs) * lengthMs

function hourOf(startMs: number, rows: Row[]): Hour {
  const total = new Tally()
  const minutes = rows.length < FEW ? null : Array.from({ length: 60 }, () => new Tally())
  for (const [timeMs, px, sz, notional, side] of rows) {
    const isBuy = side === 'B'
    total.add(px, sz, notional, isBuy)
    minutes?.[Math.floor((timeMs - startMs) / MINUTE_MS)]?.add(px, sz, notional, isBuy)
  }
  return { startMs, rows, timesMs: Float64Array.from(rows, ([timeMs]) => timeMs), total, minutes }
}

/** Adds what of the hour lies in [fromMs, toMs). */
function part(tally: Tally, hour: Hour, fromMs: number, toMs: number): void {
  const { startMs, minutes, total } = hour
  const endMs = startMs + HOUR_MS
  if (fromMs <= startMs && endMs <= toMs) return tally.append(total)
  const [beginMs, closeMs] = [Math.max(fromMs, startMs), Math.min(toMs, endMs)]
  const firstMs = Math.ceil((beginMs - startMs) / MINUTE_MS) * MINUTE_MS + startMs
  const lastMs = Math.floor((closeMs - startMs) / MINUTE_MS) * MINUTE_MS + startMs
  if (minutes === null || firstMs >= lastMs) return trades(tally, hour, beginMs, closeMs)
  trades(tally, hour, beginMs, firstMs)
  for (let at = firstMs; at < lastMs; at += MINUTE_MS)
    tally.append(minutes[(at - startMs) / MINUTE_MS] as Tally)
  trades(tally, hour, lastMs, closeMs)
}

function trades(tally: Tally, { rows, timesMs }: Hour, fromMs: number, toMs: number): void {
  const end = lastUpTo(timesMs, toMs - 1)
  for (let at = lastUpTo(timesMs, fromMs - 1) + 1; at <= end; at++) {
    const [, px, sz, notional, side] = rows[at] as Row
    tally.add(px, sz, notional, side === 'B')
  }
}
