/**
 * Trades, an hour of an instrument at a time in memory, so that any span is summed from few parts:
 * minute bars and traders' trades before the tape, trades during it.
 */

import { HOUR_MS, later, MINUTE_MS, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import { type Px, px, raw, sz, usd } from '../../decimal/quantity.ts'
import { type InstrumentRow, trade } from '../schema/schema.ts'
import { perMarket, SpanCache } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import { type LastTrade, type MinuteBars, minuteBarsOf } from './minute-bars.ts'
import { lastUpTo } from './step-series.ts'
import { TradeTally } from './trade-tally.ts'

// Trades of an instrument as columns, ascending by time.

/** Price units, size units, micro-dollars. */
interface TradeColumns {
  timesMs: Float64Array
  prices: Float64Array
  sizes: Float64Array
  notionals: Float64Array
  /** 1 where the taker bought. */
  buys: Uint8Array
}

const ROWS = columns({
  timeMs: trade.timeMs,
  px: trade.px,
  sz: trade.sz,
  notional: trade.notional,
  side: trade.side,
})
type Row = RowOf<typeof ROWS>
type Span = [instrument: number, fromMs: TapeMs, toMs: TapeMs]

/** Reads the trades with fromMs <= time < toMs in joinable pieces. */
function tradeRowReader({ db }: World): Reader<Row, Span> {
  return ROWS.prepare(
    db,
    'from trade where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id',
  )
}

const tradeColumns = (rows: readonly Row[]): TradeColumns => ({
  timesMs: Float64Array.from(rows, ({ timeMs }) => timeMs),
  prices: Float64Array.from(rows, ({ px }) => raw(px)),
  sizes: Float64Array.from(rows, ({ sz }) => raw(sz)),
  notionals: Float64Array.from(rows, ({ notional }) => raw(notional)),
  buys: Uint8Array.from(rows, ({ side }) => (side === 'B' ? 1 : 0)),
})

/** Joins trades up to an index with those right after. */
function joinedTrades(one: TradeColumns, end: number, other: TradeColumns): TradeColumns {
  const joined = <T extends Float64Array | Uint8Array>(of: (trades: TradeColumns) => T): T => {
    const all = new (of(one).constructor as new (length: number) => T)(end + of(other).length)
    all.set(of(one).subarray(0, end))
    all.set(of(other), end)
    return all
  }
  return {
    timesMs: joined(({ timesMs }) => timesMs),
    prices: joined(({ prices }) => prices),
    sizes: joined(({ sizes }) => sizes),
    notionals: joined(({ notionals }) => notionals),
    buys: joined(({ buys }) => buys),
  }
}

/** Number of trades before an instant. */
const countBefore = ({ timesMs }: TradeColumns, beforeMs: number): number =>
  lastUpTo(timesMs, beforeMs - 1) + 1

/** The last one before an instant. */
function lastTrade(trades: TradeColumns, beforeMs: number): LastTrade | null {
  const at = countBefore(trades, beforeMs) - 1
  if (at < 0) return null
  return { timeMs: tapeMs(trades.timesMs[at] as number), px: px(trades.prices[at] as number) }
}

/** Adds a range of trades; those `within` bars only extend a tally's prices. */
function addTrades(
  tally: TradeTally,
  { prices, sizes, notionals, buys }: TradeColumns,
  from: number,
  to: number,
  within: boolean,
): void {
  for (let at = from; at < to; at++) {
    const [price, size] = [px(prices[at] as number), sz(sizes[at] as number)]
    const notional = usd(notionals[at] as number)
    const isBuy = buys[at] === 1
    if (within) tally.addWithin(price, size, notional, isBuy)
    else tally.add(price, size, notional, isBuy)
  }
}

// Sums an hour of an instrument's trades: minute bars, and single trades.

/** Hours with fewer trades are summed trade by trade. */
const PLAIN_SUM_MAX = 256

/** Trades of an hour. */
interface TradeHour {
  total: TradeTally
  /** Sums of its sixty minutes; null with few trades. */
  minutes: TradeTally[] | null
}

/** Index range of an hour's trades. */
interface HourTrades {
  trades: TradeColumns
  from: number
  to: number
}

class HourSums {
  private readonly bars: MinuteBars

  constructor(private readonly world: World) {
    this.bars = minuteBarsOf(world)
  }

  /** Sums of an hour from its trades. */
  hour(instrument: InstrumentRow, startMs: TapeMs, within: HourTrades): TradeHour {
    const total = new TradeTally()
    if (within.to - within.from < PLAIN_SUM_MAX) {
      this.add(total, instrument, within, startMs, startMs + HOUR_MS)
      return { total, minutes: null }
    }
    const minutes = Array.from({ length: 60 }, () => new TradeTally())
    minutes.forEach((minute, place) => {
      const fromMs = startMs + place * MINUTE_MS
      this.add(minute, instrument, within, fromMs, fromMs + MINUTE_MS)
      total.append(minute)
    })
    return { total, minutes }
  }

  /** Adds the trades of a span of an hour: bars and trades, one by one. */
  add(
    tally: TradeTally,
    instrument: InstrumentRow,
    { trades }: HourTrades,
    fromMs: number,
    toMs: number,
  ): void {
    const { barsEndMs } = this.world.meta
    const untilMs = Math.min(toMs, barsEndMs)
    const [from, to] = [countBefore(trades, fromMs), countBefore(trades, toMs)]
    if (fromMs >= barsEndMs) return addTrades(tally, trades, from, to, false)
    const within = toMs <= barsEndMs ? to : countBefore(trades, barsEndMs)
    // The first of them opens at the price that is held then, where the bars trade only later.
    const cutMs = from < within ? (trades.timesMs[from] as number) + 1 : fromMs
    const cut = from < within ? countBefore(trades, cutMs) : from
    this.addWithin(tally, instrument, { trades, from, to: cut }, fromMs, cutMs)
    this.addWithin(tally, instrument, { trades, from: cut, to: within }, cutMs, untilMs)
    addTrades(tally, trades, within, to, false)
  }

  /** Adds bars and the trades within them. */
  private addWithin(
    tally: TradeTally,
    instrument: InstrumentRow,
    { trades, from, to }: HourTrades,
    fromMs: number,
    toMs: number,
  ): void {
    const span = new TradeTally()
    this.bars.appendTo(span, instrument, tapeMs(fromMs), tapeMs(toMs))
    addTrades(span, trades, from, to, true)
    tally.append(span)
  }
}

// Reads spans of an instrument's trades into columns, in pieces.

/** Known trades of the span in which the world ended. */
interface OpenSpan {
  fromMs: TapeMs
  trades: TradeColumns
  knownMs: TapeMs
}

class TradeReading {
  private readonly rows
  /** By instrument: the end of a growing market is read repeatedly. */
  private readonly open = new Map<number, OpenSpan>()

  constructor(private readonly world: World) {
    this.rows = tradeRowReader(world)
  }

  /** The trades with fromMs <= time < toMs, a piece a slice. */
  *read(instrument: number, fromMs: TapeMs, toMs: TapeMs, pieceMs: number): Slices<TradeColumns> {
    const knownMs = this.world.endMs
    const open = this.open.get(instrument)
    const known = open?.fromMs === fromMs ? open : null
    // Only new rows are read.
    const newMs = known ? later(known.knownMs, 1) : fromMs
    const rows = []
    for (let atMs = newMs; atMs < toMs; ) {
      const endMs = tapeMs(fromMs + (Math.floor((atMs - fromMs) / pieceMs) + 1) * pieceMs)
      for (const row of this.rows.all(instrument, atMs, endMs)) rows.push(row)
      atMs = endMs
      yield
    }
    const added = tradeColumns(rows)
    const trades = known
      ? joinedTrades(known.trades, countBefore(known.trades, newMs), added)
      : added
    if (knownMs < toMs) this.open.set(instrument, { fromMs, trades, knownMs })
    else if (known) this.open.delete(instrument)
    return trades
  }
}

/** Before the tape there are few trades: a whole day of them is read at once. */
const HOURS_AT_ONCE = 24
/** During the tape an hour may have many: it is read in so many pieces. */
const PIECES = 6
/**
 * Trades kept in memory, 33 bytes each: only the first and last minute of a span need them. As many
 * as the tape's, so that a busy one is not read repeatedly, within these bounds.
 */
const TRADES_KEPT = { least: 400_000, most: 2_000_000 }
/** Bytes of cached sums, and the size of an hour's without minutes and with them. */
const SUMS_LIMIT = 24 << 20
const SUM_BYTES = 400
const MINUTES_BYTES = 18_000

/** Result of reading an hour's rows. */
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

  /** Loads a span into memory for a later tally, a day or a part of an hour a slice. */
  *read(instrument: number, fromMs: TapeMs, toMs: TapeMs): Slices<void> {
    for (let startMs = floorTo(fromMs, HOUR_MS); startMs < toMs; startMs = later(startMs, HOUR_MS))
      if (!this.isKnown(instrument, startMs, fromMs, toMs))
        yield* this.readHour(instrument, startMs)
  }

  /** The newest trade with time < beforeMs; before the tape it has the bars' price. */
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

  /** Whether the data of an hour's part is in memory: its sums, and trades for a partial hour. */
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

  /** Before the tape it reads the whole day. */
  private *readHour(instrument: number, startMs: TapeMs): Slices<ReadHour> {
    const isPast = later(startMs, HOUR_MS) <= this.world.startMs
    const lengthMs = isPast ? HOURS_AT_ONCE * HOUR_MS : HOUR_MS
    const firstMs = floorTo(startMs, lengthMs)
    const endMs = later(firstMs, lengthMs)
    const knownMs = this.world.endMs
    const pieceMs = isPast ? lengthMs : HOUR_MS / PIECES
    const trades = yield* this.reading.read(instrument, firstMs, endMs, pieceMs)
    let requested: ReadHour | null = null
    for (let hourMs = firstMs; hourMs < endMs; hourMs = later(hourMs, HOUR_MS)) {
      const untilMs = hourMs + HOUR_MS
      const [from, to] = [countBefore(trades, hourMs), countBefore(trades, untilMs)]
      const within = { trades, from, to }
      const hour = this.sums.hour(this.row(instrument), hourMs, within)
      const key = keyOf(instrument, hourMs)
      this.hours.put(key, untilMs, hour, knownMs)
      this.trades.put(key, untilMs, within, knownMs)
      if (hourMs === startMs) requested = { hour, within }
    }
    return requested as ReadHour
  }

  /** Adds the hour's part in [fromMs, toMs). */
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

const LAST = columns({ timeMs: trade.timeMs, px: trade.px })
const TIME = columns({ timeMs: trade.timeMs })

type Of = [instrument: number, ms: TapeMs]

/** A trade, and the end of its span as the last one. */
interface LastSpan {
  row: LastTrade
  untilMs: TapeMs
}

/**
 * The newest trades at an instant. Clients that follow a market repeat the request before the next
 * trade, so a trade requested twice is cached until the next. A chart of a time before the first
 * trade requests each of its minutes.
 */
export class LastTrades {
  private readonly before: Reader<LastTrade, Of>
  private readonly next: Reader<RowOf<typeof TIME>, Of>
  private readonly latest: LastSpan[] = []
  /** By instrument, the latest instant before which it is known to have no trade. */
  private readonly noneBefore: TapeMs[] = []

  constructor(private readonly world: World) {
    const from = 'from trade where instrument = ?'
    this.before = LAST.prepare(
      world.db,
      `${from} and timeMs < ? order by timeMs desc, id desc limit 1`,
    )
    this.next = TIME.prepare(world.db, `${from} and timeMs >= ? order by timeMs limit 1`)
  }

  /** The newest with time < beforeMs; null before the first. */
  at(instrument: number, beforeMs: TapeMs): LastTrade | null {
    const known = this.latest[instrument]
    if (known && known.row.timeMs < beforeMs && beforeMs <= known.untilMs) return known.row
    if (beforeMs <= (this.noneBefore[instrument] ?? 0)) return null
    const row = this.before.get(instrument, beforeMs)
    if (row === null) {
      // Later rows have later times.
      if (beforeMs <= this.world.endMs) this.noneBefore[instrument] = beforeMs
      return null
    }
    const isRepeated = known?.row.timeMs === row.timeMs
    const untilMs = isRepeated ? this.endOf(instrument, beforeMs) : beforeMs
    this.latest[instrument] = { row, untilMs }
    return row
  }

  /** Time of the next trade, or the end of the known span without one. */
  private endOf(instrument: number, beforeMs: TapeMs): TapeMs {
    const { endMs } = this.world
    const next = beforeMs <= endMs ? this.next.get(instrument, beforeMs) : null
    return next !== null && next.timeMs <= endMs ? next.timeMs : later(endMs, 1)
  }
}
