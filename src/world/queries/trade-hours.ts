/**
 * Trades of a world in memory, an hour of an instrument at a time, with sums of each hour and
 * minute, so that any span is added up from few parts. Shared by all sandboxes on the world.
 */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { lastUpTo } from '../books/shelf.ts'
import { Cache } from '../cache.ts'
import { columns, type Reader, type RowOf } from '../rows/columns.ts'
import { trade } from '../schema.ts'
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
  startMs: TapeMs
  rows: Row[]
  timesMs: Float64Array
  total: Tally
  /** Sums of its sixty minutes; null when there are few trades. */
  minutes: Tally[] | null
}

const ROWS = columns({
  timeMs: trade.timeMs,
  px: trade.px,
  sz: trade.sz,
  notional: trade.notional,
  side: trade.side,
})
const LAST = columns({ timeMs: trade.timeMs, px: trade.px })
const FIRST = columns({ timeMs: trade.timeMs })
type Row = RowOf<typeof ROWS>
type Last = RowOf<typeof LAST>

/** The trades of a world, hour by hour. */
export const tradeHoursOf = perWorld((world) => new TradeHours(world))

export class TradeHours {
  private readonly hours = new Cache<number, Hour>(KEPT, ({ rows }) => rows.length)
  private readonly between: Reader<Row, [instrument: number, startMs: TapeMs, endMs: TapeMs]>
  private readonly before: Reader<Last, [instrument: number, beforeMs: TapeMs]>
  private readonly first: Reader<RowOf<typeof FIRST>, [instrument: number]>

  constructor(private readonly world: World) {
    const from = 'from trade where instrument = ?'
    this.between = ROWS.prepare(
      world.db,
      `${from} and timeMs >= ? and timeMs < ? order by timeMs, id`,
    )
    this.before = LAST.prepare(
      world.db,
      `${from} and timeMs < ? order by timeMs desc, id desc limit 1`,
    )
    this.first = FIRST.prepare(world.db, `${from} order by timeMs limit 1`)
  }

  /** Sums over the trades with fromMs <= time < toMs. */
  tally(instrument: number, fromMs: TapeMs, toMs: TapeMs): Tally {
    const tally = new Tally()
    for (let startMs = floorTo(fromMs, HOUR_MS); startMs < toMs; startMs = later(startMs, HOUR_MS))
      part(tally, this.hour(instrument, startMs), fromMs, toMs)
    return tally
  }

  /** The newest trade with time < beforeMs. */
  lastBefore(instrument: number, beforeMs: TapeMs): Last | null {
    return this.before.get(instrument, beforeMs)
  }

  /** Time of the first trade of the story. */
  firstMs(instrument: number): TapeMs | null {
    return this.first.get(instrument)?.timeMs ?? null
  }

  private hour(instrument: number, startMs: TapeMs): Hour {
    const key = keyOf(instrument, startMs)
    const known = this.hours.find(key)
    if (known) return known
    const count = startMs + HOUR_MS <= this.world.startMs ? HOURS_AT_ONCE : 1
    const firstMs = floorTo(startMs, count * HOUR_MS)
    return this.read(instrument, firstMs, count)[(startMs - firstMs) / HOUR_MS] as Hour
  }

  private read(instrument: number, startMs: TapeMs, count: number): Hour[] {
    const rows = this.between.all(instrument, startMs, later(startMs, count * HOUR_MS))
    let at = 0
    return Array.from({ length: count }, (_, place) => {
      const hourMs = later(startMs, place * HOUR_MS)
      let end = at
      while (end < rows.length && (rows[end] as Row).timeMs < hourMs + HOUR_MS) end++
      const hour = hourOf(hourMs, rows.slice(at, end))
      at = end
      return this.hours.put(keyOf(instrument, hourMs), hour)
    })
  }
}

const keyOf = (instrument: number, startMs: TapeMs) => instrument * 2 ** 32 + startMs / HOUR_MS

const floorTo = (timeMs: TapeMs, lengthMs: number) =>
  tapeMs(Math.floor(timeMs / lengthMs) * lengthMs)

function hourOf(startMs: TapeMs, rows: Row[]): Hour {
  const total = new Tally()
  const minutes = rows.length < FEW ? null : Array.from({ length: 60 }, () => new Tally())
  for (const { timeMs, px, sz, notional, side } of rows) {
    const isBuy = side === 'B'
    total.add(px, sz, notional, isBuy)
    minutes?.[Math.floor((timeMs - startMs) / MINUTE_MS)]?.add(px, sz, notional, isBuy)
  }
  return { startMs, rows, timesMs: Float64Array.from(rows, ({ timeMs }) => timeMs), total, minutes }
}

/** Adds what of the hour lies in [fromMs, toMs). */
function part(tally: Tally, hour: Hour, fromMs: TapeMs, toMs: TapeMs): void {
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
    const { px, sz, notional, side } = rows[at] as Row
    tally.add(px, sz, notional, side === 'B')
  }
}
