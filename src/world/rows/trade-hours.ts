/**
 * Trades of a world in memory, an hour of an instrument at a time, with sums of each hour and
 * minute, so that any span is added up from few parts. Shared by all sandboxes on the world.
 */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { lastUpTo } from '../binary-search.ts'
import { Cache } from '../cache.ts'
import { perWorld } from '../per-world.ts'
import { trade } from '../schema.ts'
import type { World } from '../world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import { TradeTally } from './trade-tally.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** History is sparse: there a whole day is read at once. */
const HOURS_AT_ONCE = 24
/** Hours with fewer trades are added up trade by trade. */
const PLAIN_SUM_MAX = 256
/** Trades kept in memory; about 40 bytes each. */
const CACHE_LIMIT = 1_000_000

interface TradeHour {
  startMs: TapeMs
  rows: HourTradeValues[]
  timesMs: Float64Array
  total: TradeTally
  /** Sums of its sixty minutes; null when there are few trades. */
  minutes: TradeTally[] | null
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
type HourTradeValues = RowOf<typeof ROWS>
type Last = RowOf<typeof LAST>

/** The trades of a world, hour by hour. */
export const tradeHoursOf = perWorld((world) => new TradeHours(world))

export class TradeHours {
  private readonly hours = new Cache<number, TradeHour>(CACHE_LIMIT, ({ rows }) => rows.length)
  private readonly between: Reader<
    HourTradeValues,
    [instrument: number, startMs: TapeMs, endMs: TapeMs]
  >
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
  tally(instrument: number, fromMs: TapeMs, toMs: TapeMs): TradeTally {
    const tally = new TradeTally()
    for (let startMs = floorTo(fromMs, HOUR_MS); startMs < toMs; startMs = later(startMs, HOUR_MS))
      addPart(tally, this.hour(instrument, startMs), fromMs, toMs)
    return tally
  }

  /** The newest trade with time < beforeMs. */
  lastBefore(instrument: number, beforeMs: TapeMs): Last | null {
    const hour = this.hours.find(keyOf(instrument, floorTo(later(beforeMs, -1), HOUR_MS)))
    const known = hour?.rows[lastUpTo(hour.timesMs, beforeMs - 1)]
    return known ?? this.before.get(instrument, beforeMs)
  }

  /** Time of the first trade. */
  firstMs(instrument: number): TapeMs | null {
    return this.first.get(instrument)?.timeMs ?? null
  }

  private hour(instrument: number, startMs: TapeMs): TradeHour {
    const key = keyOf(instrument, startMs)
    const known = this.hours.find(key)
    if (known) return known
    const count = startMs + HOUR_MS <= this.world.startMs ? HOURS_AT_ONCE : 1
    const firstMs = floorTo(startMs, count * HOUR_MS)
    return this.read(instrument, firstMs, count)[(startMs - firstMs) / HOUR_MS] as TradeHour
  }

  private read(instrument: number, startMs: TapeMs, count: number): TradeHour[] {
    const rows = this.between.all(instrument, startMs, later(startMs, count * HOUR_MS))
    let at = 0
    return Array.from({ length: count }, (_, place) => {
      const hourMs = later(startMs, place * HOUR_MS)
      let end = at
      while (end < rows.length && (rows[end] as HourTradeValues).timeMs < hourMs + HOUR_MS) end++
      const hour = tradeHour(hourMs, rows.slice(at, end))
      at = end
      return this.hours.put(keyOf(instrument, hourMs), hour)
    })
  }
}

const keyOf = (instrument: number, startMs: TapeMs) => instrument * 2 ** 32 + startMs / HOUR_MS

const floorTo = (timeMs: TapeMs, lengthMs: number) =>
  tapeMs(Math.floor(timeMs / lengthMs) * lengthMs)

function tradeHour(startMs: TapeMs, rows: HourTradeValues[]): TradeHour {
  const total = new TradeTally()
  const minutes =
    rows.length < PLAIN_SUM_MAX ? null : Array.from({ length: 60 }, () => new TradeTally())
  for (const { timeMs, px, sz, notional, side } of rows) {
    const isBuy = side === 'B'
    total.add(px, sz, notional, isBuy)
    minutes?.[Math.floor((timeMs - startMs) / MINUTE_MS)]?.add(px, sz, notional, isBuy)
  }
  return { startMs, rows, timesMs: Float64Array.from(rows, ({ timeMs }) => timeMs), total, minutes }
}

/** Adds what of the hour lies in [fromMs, toMs). */
function addPart(tally: TradeTally, hour: TradeHour, fromMs: TapeMs, toMs: TapeMs): void {
  const { startMs, minutes, total } = hour
  const endMs = startMs + HOUR_MS
  if (fromMs <= startMs && endMs <= toMs) return tally.append(total)
  const [beginMs, closeMs] = [Math.max(fromMs, startMs), Math.min(toMs, endMs)]
  const firstMs = Math.ceil((beginMs - startMs) / MINUTE_MS) * MINUTE_MS + startMs
  const lastMs = Math.floor((closeMs - startMs) / MINUTE_MS) * MINUTE_MS + startMs
  if (minutes === null || firstMs >= lastMs) return addTrades(tally, hour, beginMs, closeMs)
  addTrades(tally, hour, beginMs, firstMs)
  for (let at = firstMs; at < lastMs; at += MINUTE_MS)
    tally.append(minutes[(at - startMs) / MINUTE_MS] as TradeTally)
  addTrades(tally, hour, lastMs, closeMs)
}

function addTrades(
  tally: TradeTally,
  { rows, timesMs }: TradeHour,
  fromMs: number,
  toMs: number,
): void {
  const end = lastUpTo(timesMs, toMs - 1)
  for (let at = lastUpTo(timesMs, fromMs - 1) + 1; at <= end; at++) {
    const { px, sz, notional, side } = rows[at] as HourTradeValues
    tally.add(px, sz, notional, side === 'B')
  }
}
