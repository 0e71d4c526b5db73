/**
 * What was traded, an hour of an instrument at a time in memory, with sums of each hour and minute,
 * so that any span is added up from few parts: minute bars and traders' trades before the tape,
 * trades on it. Shared by all sandboxes on the world.
 */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { lastUpTo } from '../binary-search.ts'
import { perWorld } from '../per-world.ts'
import { type InstrumentRow, trade } from '../schema.ts'
import { SpanCache } from '../span-cache.ts'
import type { World } from '../world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import { type LastTrade, type MinuteBars, minuteBarsOf } from './minute-bars.ts'
import { TradeTally } from './trade-tally.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Before the tape there are few trades: a whole day of them is read at once. */
const HOURS_AT_ONCE = 24
/** Hours with fewer trades are added up trade by trade. */
const PLAIN_SUM_MAX = 256
/** Trades kept in memory, about 40 bytes each; sums of an hour of minutes are as large as these. */
const CACHE_LIMIT = 2_000_000
const MINUTES_WEIGHT = 300

interface TradeHour {
  instrument: InstrumentRow
  startMs: TapeMs
  rows: HourTradeValues[]
  timesMs: Float64Array
  total: TradeTally
  /** Sums of its sixty minutes; null on the tape when there are few trades. */
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

/** The trades of a world, hour by hour. */
export const tradeHoursOf = perWorld((world) => new TradeHours(world))

export class TradeHours {
  private readonly hours: SpanCache<number, TradeHour>
  private readonly between: Reader<
    HourTradeValues,
    [instrument: number, startMs: TapeMs, endMs: TapeMs]
  >
  private readonly before: Reader<LastTrade, [instrument: number, beforeMs: TapeMs]>
  private readonly first: Reader<RowOf<typeof FIRST>, [instrument: number]>

  private readonly bars: MinuteBars

  constructor(private readonly world: World) {
    this.hours = new SpanCache(
      world,
      CACHE_LIMIT,
      ({ rows, minutes }) => rows.length + (minutes === null ? 0 : MINUTES_WEIGHT),
    )
    this.bars = minuteBarsOf(world)
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
      this.addPart(tally, this.hour(instrument, startMs), fromMs, toMs)
    return tally
  }

  /** The newest trade with time < beforeMs; before the tape it has the price of the bars. */
  lastBefore(instrument: number, beforeMs: TapeMs): LastTrade | null {
    const row = this.lastRow(instrument, beforeMs)
    if (row !== null && row.timeMs >= this.world.meta.barsEndMs) return row
    const bar = this.bars.last(this.row(instrument), later(beforeMs, -1))
    if (bar === null || row === null) return bar ?? row
    return { timeMs: tapeMs(Math.max(row.timeMs, bar.timeMs)), px: bar.px }
  }

  private lastRow(instrument: number, beforeMs: TapeMs): LastTrade | null {
    const hour = this.hours.find(keyOf(instrument, floorTo(later(beforeMs, -1), HOUR_MS)))
    const known = hour?.rows[lastUpTo(hour.timesMs, beforeMs - 1)]
    return known ?? this.before.get(instrument, beforeMs)
  }

  /** Time of the first trade. */
  firstMs(instrument: number): TapeMs | null {
    return this.bars.firstMs(this.row(instrument)) ?? this.first.get(instrument)?.timeMs ?? null
  }

  private row(instrument: number): InstrumentRow {
    return this.world.instruments[instrument] as InstrumentRow
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
      const hour = this.hourOf(instrument, hourMs, rows.slice(at, end))
      at = end
      return this.hours.put(keyOf(instrument, hourMs), hourMs + HOUR_MS, hour)
    })
  }

  private hourOf(instrument: number, startMs: TapeMs, rows: HourTradeValues[]): TradeHour {
    const timesMs = Float64Array.from(rows, ({ timeMs }) => timeMs)
    const hour = { instrument: this.row(instrument), startMs, rows, timesMs, minutes: null }
    const total = new TradeTally()
    if (startMs >= this.world.meta.barsEndMs && rows.length < PLAIN_SUM_MAX) {
      this.addSpan(total, { ...hour, total }, startMs, startMs + HOUR_MS)
      return { ...hour, total }
    }
    const minutes = Array.from({ length: 60 }, (_, place) => {
      const minute = new TradeTally()
      const fromMs = startMs + place * MINUTE_MS
      this.addSpan(minute, { ...hour, total }, fromMs, fromMs + MINUTE_MS)
      total.append(minute)
      return minute
    })
    return { ...hour, total, minutes }
  }

  /** Adds what of the hour lies in [fromMs, toMs). */
  private addPart(tally: TradeTally, hour: TradeHour, fromMs: TapeMs, toMs: TapeMs): void {
    const { startMs, minutes, total } = hour
    const endMs = startMs + HOUR_MS
    if (fromMs <= startMs && endMs <= toMs) return tally.append(total)
    const [beginMs, closeMs] = [Math.max(fromMs, startMs), Math.min(toMs, endMs)]
    const firstMs = Math.ceil((beginMs - startMs) / MINUTE_MS) * MINUTE_MS + startMs
    const lastMs = Math.floor((closeMs - startMs) / MINUTE_MS) * MINUTE_MS + startMs
    if (minutes === null || firstMs >= lastMs) return this.addSpan(tally, hour, beginMs, closeMs)
    this.addSpan(tally, hour, beginMs, firstMs)
    for (let at = firstMs; at < lastMs; at += MINUTE_MS)
      tally.append(minutes[(at - startMs) / MINUTE_MS] as TradeTally)
    this.addSpan(tally, hour, lastMs, closeMs)
  }

  /** Adds bars and trades one by one. */
  private addSpan(tally: TradeTally, hour: TradeHour, fromMs: number, toMs: number): void {
    const { instrument, rows, timesMs } = hour
    const span = new TradeTally()
    for (const part of this.bars.parts(instrument, tapeMs(fromMs), tapeMs(toMs))) span.addPart(part)
    const end = lastUpTo(timesMs, toMs - 1)
    for (let at = lastUpTo(timesMs, fromMs - 1) + 1; at <= end; at++) {
      const { timeMs, px, sz, notional, side } = rows[at] as HourTradeValues
      const isBuy = side === 'B'
      if (timeMs < this.world.meta.barsEndMs) span.addWithin(px, sz, notional, isBuy)
      else span.add(px, sz, notional, isBuy)
    }
    tally.append(span)
  }
}

const keyOf = (instrument: number, startMs: TapeMs) => instrument * 2 ** 32 + startMs / HOUR_MS

const floorTo = (timeMs: TapeMs, lengthMs: number) =>
  tapeMs(Math.floor(timeMs / lengthMs) * lengthMs)
