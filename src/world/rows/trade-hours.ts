/**
 * What was traded, an hour of an instrument at a time in memory, so that any span is added up from
 * few parts: minute bars and traders' trades before the tape, trades on it.
 */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import type { Px } from '../../decimal/quantity.ts'
import { perMarket } from '../per-world.ts'
import { type InstrumentRow, trade } from '../schema.ts'
import { SpanCache } from '../span-cache.ts'
import type { World } from '../world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import { type LastTrade, type MinuteBars, minuteBarsOf } from './minute-bars.ts'
import { addTrades, countBefore, lastTrade, type TradeColumns } from './trade-columns.ts'
import { TradeReading } from './trade-reading.ts'
import { TradeTally } from './trade-tally.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Before the tape there are few trades: a whole day of them is read at once. */
const HOURS_AT_ONCE = 24
/** On the tape an hour may have many: it is read in so many pieces. */
const PIECES = 6
/** Hours with fewer trades are added up trade by trade. */
const PLAIN_SUM_MAX = 256
/** Trades kept in memory, 33 bytes each; what else an hour takes, in trades. */
const CACHE_LIMIT = 2_000_000
const HOUR_WEIGHT = 12
const MINUTES_WEIGHT = 400

interface TradeHour {
  instrument: InstrumentRow
  startMs: TapeMs
  /** Those of the hour lie between two places. */
  trades: TradeColumns
  from: number
  to: number
  total: TradeTally
  /** Sums of its sixty minutes; null where there are few trades. */
  minutes: TradeTally[] | null
}

const LAST = columns({ timeMs: trade.timeMs, px: trade.px })
const FIRST = columns({ timeMs: trade.timeMs })

/** The trades of a world, hour by hour. */
export const tradeHoursOf = perMarket((world) => new TradeHours(world))

export class TradeHours {
  private readonly hours: SpanCache<number, TradeHour>
  private readonly reading: TradeReading
  private readonly before: Reader<LastTrade, [instrument: number, beforeMs: TapeMs]>
  private readonly first: Reader<RowOf<typeof FIRST>, [instrument: number]>
  private readonly bars: MinuteBars

  constructor(private readonly world: World) {
    this.hours = new SpanCache(world, CACHE_LIMIT, weightOf)
    this.bars = minuteBarsOf(world)
    this.reading = new TradeReading(world)
    const from = 'from trade where instrument = ?'
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

  /** Brings a span into memory, a day or a part of an hour a slice, for who then adds it up. */
  *read(instrument: number, fromMs: TapeMs, toMs: TapeMs): Slices<void> {
    for (let startMs = floorTo(fromMs, HOUR_MS); startMs < toMs; startMs = later(startMs, HOUR_MS))
      if (!this.hours.find(keyOf(instrument, startMs))) yield* this.readHour(instrument, startMs)
  }

  /** The newest trade with time < beforeMs; before the tape it has the price of the bars. */
  lastBefore(instrument: number, beforeMs: TapeMs): LastTrade | null {
    const row = this.lastRow(instrument, beforeMs)
    if (row !== null && row.timeMs >= this.world.meta.barsEndMs) return row
    const bar = this.bars.last(this.row(instrument), later(beforeMs, -1))
    if (bar === null || row === null) return bar ?? row
    return { timeMs: tapeMs(Math.max(row.timeMs, bar.timeMs)), px: bar.px }
  }

  /** Its price; null before the first. */
  pxBefore(instrument: number, beforeMs: TapeMs): Px | null {
    const isPast = beforeMs <= this.world.meta.barsEndMs
    const bar = isPast ? this.bars.last(this.row(instrument), later(beforeMs, -1)) : null
    return bar?.px ?? this.lastBefore(instrument, beforeMs)?.px ?? null
  }

  private lastRow(instrument: number, beforeMs: TapeMs): LastTrade | null {
    const hour = this.hours.find(keyOf(instrument, floorTo(later(beforeMs, -1), HOUR_MS)))
    return (hour && lastTrade(hour.trades, beforeMs)) ?? this.before.get(instrument, beforeMs)
  }

  /** Time of the first trade. */
  firstMs(instrument: number): TapeMs | null {
    return this.bars.firstMs(this.row(instrument)) ?? this.first.get(instrument)?.timeMs ?? null
  }

  private row(instrument: number): InstrumentRow {
    return this.world.instruments[instrument] as InstrumentRow
  }

  private hour(instrument: number, startMs: TapeMs): TradeHour {
    const known = this.hours.find(keyOf(instrument, startMs))
    return known ?? runToEnd(this.readHour(instrument, startMs))
  }

  /** With it, before the tape, the day around it. */
  private *readHour(instrument: number, startMs: TapeMs): Slices<TradeHour> {
    const isPast = later(startMs, HOUR_MS) <= this.world.startMs
    const lengthMs = isPast ? HOURS_AT_ONCE * HOUR_MS : HOUR_MS
    const firstMs = floorTo(startMs, lengthMs)
    const endMs = later(firstMs, lengthMs)
    const knownMs = this.world.endMs
    const pieceMs = isPast ? lengthMs : HOUR_MS / PIECES
    const trades = yield* this.reading.read(instrument, firstMs, endMs, pieceMs)
    let asked: TradeHour | null = null
    for (let hourMs = firstMs; hourMs < endMs; hourMs = later(hourMs, HOUR_MS)) {
      const hour = this.hourOf(instrument, hourMs, trades)
      this.hours.put(keyOf(instrument, hourMs), hourMs + HOUR_MS, hour, knownMs)
      if (hourMs === startMs) asked = hour
    }
    return asked as TradeHour
  }

  private hourOf(instrument: number, startMs: TapeMs, trades: TradeColumns): TradeHour {
    const total = new TradeTally()
    const endMs = startMs + HOUR_MS
    const [from, to] = [countBefore(trades, startMs), countBefore(trades, endMs)]
    const hour = { instrument: this.row(instrument), startMs, trades, from, to, total }
    if (to - from < PLAIN_SUM_MAX) {
      this.addSpan(total, { ...hour, minutes: null }, startMs, endMs)
      return { ...hour, minutes: null }
    }
    const minutes = Array.from({ length: 60 }, () => new TradeTally())
    minutes.forEach((minute, place) => {
      const fromMs = startMs + place * MINUTE_MS
      this.addSpan(minute, { ...hour, minutes: null }, fromMs, fromMs + MINUTE_MS)
      total.append(minute)
    })
    return { ...hour, minutes }
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
    const { instrument, trades } = hour
    const { barsEndMs } = this.world.meta
    const [from, to] = [countBefore(trades, fromMs), countBefore(trades, toMs)]
    if (fromMs >= barsEndMs) return addTrades(tally, trades, from, to, false)
    // Without trades, as mostly before the tape, nothing has to lie within the bars.
    if (from === to) return this.bars.appendTo(tally, instrument, tapeMs(fromMs), tapeMs(toMs))
    const span = new TradeTally()
    this.bars.appendTo(span, instrument, tapeMs(fromMs), tapeMs(toMs))
    const within = toMs <= barsEndMs ? to : countBefore(trades, barsEndMs)
    addTrades(span, trades, from, within, true)
    addTrades(span, trades, within, to, false)
    tally.append(span)
  }
}

const weightOf = ({ from, to, minutes }: TradeHour) =>
  to - from + HOUR_WEIGHT + (minutes === null ? 0 : MINUTES_WEIGHT)

const keyOf = (instrument: number, startMs: TapeMs) => instrument * 2 ** 32 + startMs / HOUR_MS

const floorTo = (timeMs: TapeMs, lengthMs: number) =>
  tapeMs(Math.floor(timeMs / lengthMs) * lengthMs)
