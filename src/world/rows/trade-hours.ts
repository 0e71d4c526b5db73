/**
 * What was traded, an hour of an instrument at a time in memory, so that any span is added up from
 * few parts: minute bars and traders' trades before the tape, trades on it.
 */
import { HOUR_MS, MINUTE_MS } from '../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import type { Px } from '../../decimal/quantity.ts'
import { perMarket } from '../per-world.ts'
import { type InstrumentRow, trade } from '../schema.ts'
import { SpanCache } from '../span-cache.ts'
import type { World } from '../world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import { HourSums, type HourTrades, type TradeHour } from './hour-sums.ts'
import { LastTrades } from './last-trades.ts'
import { type LastTrade, type MinuteBars, minuteBarsOf } from './minute-bars.ts'
import { countBefore, lastTrade } from './trade-columns.ts'
import { TradeReading } from './trade-reading.ts'
import { TradeTally } from './trade-tally.ts'

/** Before the tape there are few trades: a whole day of them is read at once. */
const HOURS_AT_ONCE = 24
/** On the tape an hour may have many: it is read in so many pieces. */
const PIECES = 6
/**
 * Trades kept in memory, 33 bytes each: only the first and last minute of a span need them. As many
 * as a tape has, so that a busy one is not read again and again, within these bounds.
 */
const TRADES_KEPT = { least: 400_000, most: 2_000_000 }
/** Bytes of hours that are kept as sums, and what one takes without its minutes and with them. */
const SUMS_LIMIT = 24 << 20
const SUM_BYTES = 400
const MINUTES_BYTES = 18_000

/** What becomes of the rows of an hour. */
interface ReadHour {
  hour: TradeHour
  within: HourTrades
}

const FIRST = columns({ timeMs: trade.timeMs })

/** The trades of a world, hour by hour. */
export const tradeHoursOf = perMarket((world) => new TradeHours(world))

export class TradeHours {
  private readonly hours: SpanCache<number, TradeHour>
  private readonly trades: SpanCache<number, HourTrades>
  private readonly reading: TradeReading
  private readonly lasts: LastTrades
  private readonly first: Reader<RowOf<typeof FIRST>, [instrument: number]>
  private readonly bars: MinuteBars
  private readonly sums: HourSums

  constructor(
    private readonly world: World,
    tradesKept = tradesKeptOf(world),
  ) {
    this.hours = new SpanCache(world, SUMS_LIMIT, bytesOf)
    this.trades = new SpanCache(world, tradesKept, ({ from, to }) => to - from + 1)
    this.bars = minuteBarsOf(world)
    this.sums = new HourSums(world)
    this.reading = new TradeReading(world)
    this.lasts = new LastTrades(world)
    this.first = FIRST.prepare(world.db, 'from trade where instrument = ? order by timeMs limit 1')
  }

  /** Sums over the trades with fromMs <= time < toMs. */
  tally(instrument: number, fromMs: TapeMs, toMs: TapeMs): TradeTally {
    const tally = new TradeTally()
    for (let startMs = floorTo(fromMs, HOUR_MS); startMs < toMs; startMs = later(startMs, HOUR_MS))
      this.addPart(tally, instrument, startMs, fromMs, toMs)
    return tally
  }

  /** Brings a span into memory, a day or a part of an hour a slice, for who then adds it up. */
  *read(instrument: number, fromMs: TapeMs, toMs: TapeMs): Slices<void> {
    for (let startMs = floorTo(fromMs, HOUR_MS); startMs < toMs; startMs = later(startMs, HOUR_MS))
      if (!this.isKnown(instrument, startMs, fromMs, toMs))
        yield* this.readHour(instrument, startMs)
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
    const hour = this.trades.find(keyOf(instrument, floorTo(later(beforeMs, -1), HOUR_MS)))
    return (hour && lastTrade(hour.trades, beforeMs)) ?? this.lasts.at(instrument, beforeMs)
  }

  /** Time of the first trade. */
  firstMs(instrument: number): TapeMs | null {
    return this.bars.firstMs(this.row(instrument)) ?? this.first.get(instrument)?.timeMs ?? null
  }

  private row(instrument: number): InstrumentRow {
    return this.world.instruments[instrument] as InstrumentRow
  }

  /** Whether there is in memory what a span takes of an hour: its sums, and trades for a part. */
  private isKnown(instrument: number, startMs: TapeMs, fromMs: TapeMs, toMs: TapeMs): boolean {
    const key = keyOf(instrument, startMs)
    const isWhole = fromMs <= startMs && startMs + HOUR_MS <= toMs
    return this.hours.find(key) !== undefined && (isWhole || this.trades.find(key) !== undefined)
  }

  private hour(instrument: number, startMs: TapeMs): TradeHour {
    const known = this.hours.find(keyOf(instrument, startMs))
    return known ?? runToEnd(this.readHour(instrument, startMs)).hour
  }

  private tradesOf(instrument: number, startMs: TapeMs): HourTrades {
    const known = this.trades.find(keyOf(instrument, startMs))
    return known ?? runToEnd(this.readHour(instrument, startMs)).within
  }

  /** With it, before the tape, the day around it. */
  private *readHour(instrument: number, startMs: TapeMs): Slices<ReadHour> {
    const isPast = later(startMs, HOUR_MS) <= this.world.startMs
    const lengthMs = isPast ? HOURS_AT_ONCE * HOUR_MS : HOUR_MS
    const firstMs = floorTo(startMs, lengthMs)
    const endMs = later(firstMs, lengthMs)
    const knownMs = this.world.endMs
    const pieceMs = isPast ? lengthMs : HOUR_MS / PIECES
    const trades = yield* this.reading.read(instrument, firstMs, endMs, pieceMs)
    let asked: ReadHour | null = null
    for (let hourMs = firstMs; hourMs < endMs; hourMs = later(hourMs, HOUR_MS)) {
      const untilMs = hourMs + HOUR_MS
      const [from, to] = [countBefore(trades, hourMs), countBefore(trades, untilMs)]
      const within = { trades, from, to }
      const hour = this.sums.hour(this.row(instrument), hourMs, within)
      const key = keyOf(instrument, hourMs)
      this.hours.put(key, untilMs, hour, knownMs)
      this.trades.put(key, untilMs, within, knownMs)
      if (hourMs === startMs) asked = { hour, within }
    }
    return asked as ReadHour
  }

  /** Adds what of an hour lies in [fromMs, toMs). */
  private addPart(
    tally: TradeTally,
    instrument: number,
    startMs: TapeMs,
    fromMs: TapeMs,
    toMs: TapeMs,
  ): void {
    const { minutes, total } = this.hour(instrument, startMs)
    const endMs = startMs + HOUR_MS
    if (fromMs <= startMs && endMs <= toMs) return tally.append(total)
    const [beginMs, closeMs] = [Math.max(fromMs, startMs), Math.min(toMs, endMs)]
    const firstMs = Math.ceil((beginMs - startMs) / MINUTE_MS) * MINUTE_MS + startMs
    const lastMs = Math.floor((closeMs - startMs) / MINUTE_MS) * MINUTE_MS + startMs
    const addTraded = (fromMs: number, toMs: number) => {
      if (fromMs < toMs)
        this.sums.add(tally, this.row(instrument), this.tradesOf(instrument, startMs), fromMs, toMs)
    }
    if (minutes === null || firstMs >= lastMs) return addTraded(beginMs, closeMs)
    addTraded(beginMs, firstMs)
    for (let at = firstMs; at < lastMs; at += MINUTE_MS)
      tally.append(minutes[(at - startMs) / MINUTE_MS] as TradeTally)
    addTraded(lastMs, closeMs)
  }
}

const tradesKeptOf = ({ meta }: World) =>
  Math.min(TRADES_KEPT.most, Math.max(TRADES_KEPT.least, meta.counts.trade ?? 0))

const bytesOf = ({ minutes }: TradeHour) => SUM_BYTES + (minutes === null ? 0 : MINUTES_BYTES)

const keyOf = (instrument: number, startMs: TapeMs) => instrument * 2 ** 32 + startMs / HOUR_MS

const floorTo = (timeMs: TapeMs, lengthMs: number) =>
  tapeMs(Math.floor(timeMs / lengthMs) * lengthMs)
