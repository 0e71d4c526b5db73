/**
 * Step functions over time (open interest, funding rates), an hour of an instrument at a time in
 * memory, and candles of them.
 */

import { HOUR_MS, later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { Quantity } from '../../decimal/quantity.ts'
import {
  type InstrumentRow,
  type PackedName,
  packed,
  type UnpackedSection,
  unpackSections,
} from '../schema/schema.ts'
import { perWorld, SpanCache } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns, type Reader } from './columns.ts'

/** Open, high, low and close of a bucket; open is the value when the bucket began. */
export interface Ohlc<Q extends Quantity> {
  open: Q
  high: Q
  low: Q
  close: Q
}

/** Converts a value at its instant; monotone in the value within an hour. */
export type ValueMapping<Q extends Quantity> = (value: Q, timeMs: TapeMs) => Q

interface StepSource<Q extends Quantity, Row extends Timed> {
  /** `instrument = ? and timeMs >= ? and timeMs < ?`, in order. */
  between: Pick<Reader<Row, [instrument: number, fromMs: TapeMs, toMs: TapeMs]>, 'all'>
  /** The newest with `instrument = ? and timeMs <= ?`. */
  before: Pick<Reader<Row, [instrument: number, atMs: TapeMs]>, 'get'>
  value: (of: InstrumentRow, row: Row) => Q
}

interface Timed {
  timeMs: TapeMs
}

interface StepHour<Q extends Quantity> {
  timesMs: Float64Array
  values: Q[]
  /** null while empty. */
  sums: Ohlc<Q> | null
}

/** History is sparse: there a whole day is read at once. */
const HOURS_AT_ONCE = 24
/** Values kept in memory, 16 bytes each. */
const CACHE_LIMIT = 1_000_000

export class StepSeries<Q extends Quantity, Row extends Timed> {
  private readonly hours: SpanCache<number, StepHour<Q>>

  constructor(
    private readonly world: World,
    private readonly source: StepSource<Q, Row>,
  ) {
    this.hours = new SpanCache(world, CACHE_LIMIT, ({ values }) => values.length)
  }

  /** The value at an instant; null before the first. */
  at(of: InstrumentRow, atMs: TapeMs, mapping: ValueMapping<Q> = identity): Q | null {
    const row = this.source.before.get(of.id, atMs)
    return row && mapping(this.source.value(of, row), row.timeMs)
  }

  /** One candle for each `[edges[i], edges[i + 1])`; null before the first value. */
  *candles(
    of: InstrumentRow,
    edgesMs: readonly TapeMs[],
    mapping: ValueMapping<Q> = identity,
  ): Slices<(Ohlc<Q> | null)[]> {
    const candles: (Ohlc<Q> | null)[] = []
    let last = this.at(of, tapeMs((edgesMs[0] ?? 0) - 1), mapping)
    for (let at = 0; at + 1 < edgesMs.length; at++) {
      const fold = new OhlcFold(last)
      const [fromMs, toMs] = [edgesMs[at] as TapeMs, edgesMs[at + 1] as TapeMs]
      for (let hourMs = floorTo(fromMs, HOUR_MS); hourMs < toMs; hourMs = later(hourMs, HOUR_MS)) {
        foldPart(fold, this.hour(of, hourMs), hourMs, fromMs, toMs, mapping)
        yield
      }
      candles.push(fold.candle)
      last = fold.candle?.close ?? last
    }
    return candles
  }

  private hour(of: InstrumentRow, startMs: TapeMs): StepHour<Q> {
    const key = keyOf(of.id, startMs)
    const known = this.hours.find(key)
    if (known) return known
    const count = startMs + HOUR_MS <= this.world.startMs ? HOURS_AT_ONCE : 1
    const firstMs = floorTo(startMs, count * HOUR_MS)
    return this.read(of, firstMs, count)[(startMs - firstMs) / HOUR_MS] as StepHour<Q>
  }

  private read(of: InstrumentRow, startMs: TapeMs, count: number): StepHour<Q>[] {
    const rows = this.source.between.all(of.id, startMs, later(startMs, count * HOUR_MS))
    let at = 0
    return Array.from({ length: count }, (_, hour) => {
      const hourMs = later(startMs, hour * HOUR_MS)
      let end = at
      while (end < rows.length && (rows[end] as Row).timeMs < hourMs + HOUR_MS) end++
      const read = stepHour(of, rows.slice(at, end), this.source)
      at = end
      return this.hours.put(keyOf(of.id, hourMs), hourMs + HOUR_MS, read)
    })
  }
}

const identity = <Q extends Quantity>(value: Q) => value

const keyOf = (instrument: number, startMs: TapeMs) => instrument * 2 ** 32 + startMs / HOUR_MS

const floorTo = (timeMs: TapeMs, lengthMs: number) =>
  tapeMs(Math.floor(timeMs / lengthMs) * lengthMs)

function stepHour<Q extends Quantity, Row extends Timed>(
  of: InstrumentRow,
  rows: readonly Row[],
  { value }: StepSource<Q, Row>,
): StepHour<Q> {
  const timesMs = Float64Array.from(rows, ({ timeMs }) => timeMs)
  const values = rows.map((row) => value(of, row))
  const fold = new OhlcFold<Q>(values[0] ?? null)
  for (const one of values) fold.add(one)
  return { timesMs, values, sums: fold.candle }
}

/** Adds the hour's part in [fromMs, toMs). */
function foldPart<Q extends Quantity>(
  fold: OhlcFold<Q>,
  { timesMs, values, sums }: StepHour<Q>,
  hourMs: TapeMs,
  fromMs: TapeMs,
  toMs: TapeMs,
  mapping: ValueMapping<Q>,
): void {
  if (sums === null) return
  if (fromMs <= hourMs && hourMs + HOUR_MS <= toMs) {
    for (const value of [sums.open, sums.high, sums.low, sums.close])
      fold.add(mapping(value, hourMs))
    return
  }
  const end = lastUpTo(timesMs, toMs - 1)
  for (let at = lastUpTo(timesMs, fromMs - 1) + 1; at <= end; at++)
    fold.add(mapping(values[at] as Q, timesMs[at] as TapeMs))
}

/** A candle in progress, beginning with the value before it. */
class OhlcFold<Q extends Quantity> {
  candle: Ohlc<Q> | null

  constructor(last: Q | null) {
    this.candle = last === null ? null : { open: last, high: last, low: last, close: last }
  }

  add(value: Q): void {
    if (this.candle === null) this.candle = { open: value, high: value, low: value, close: value }
    const { candle } = this
    if (value > candle.high) candle.high = value
    if (value < candle.low) candle.low = value
    candle.close = value
  }
}

/** Index of the last value <= limit in an ascending list; -1 for none. */
export function lastUpTo(rising: ArrayLike<number>, limit: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Packed data of a world (src/market/schema/packed-sections.ts). */
export const packedRows = perWorld(({ db }) => {
  const one = columns({ blob: packed.columns }).prepare<[name: PackedName, key: number]>(
    db,
    'from packed where name = ? and key = ?',
  )
  return {
    /** None for a trader without activity. */
    sections(name: PackedName, key: number): UnpackedSection[] {
      const row = one.get(name, key)
      return row ? unpackSections(row.blob) : []
    },
  }
})

/** Spare capacity in rows. */
const SPARE_ROWS = 16

/** Rows of a section, in order of their first value, which is an instant. */
export class PackedRows {
  count: number
  /** Offset of its values: from `first` on, `width` of them per row. */
  data: Float64Array
  first: number

  constructor(
    { data, first, length }: UnpackedSection,
    readonly width: number,
  ) {
    this.data = data
    this.first = first
    this.count = length / width
  }

  /** Adds a row that is not earlier than any other. */
  append(...row: number[]): void {
    const { first, count, width, data } = this
    // Packed data lies among other sections, which must not change.
    if (first > 0 || (count + 1) * width > data.length) this.move()
    this.data.set(row, count * width)
    this.count++
  }

  /** Removes the rows after an instant. */
  cut(untilMs: number): this {
    this.count = this.lastUpTo(untilMs) + 1
    return this
  }

  private move(): void {
    const { data, first, count, width } = this
    this.data = new Float64Array(Math.ceil(1.25 * (count + SPARE_ROWS)) * width)
    this.data.set(data.subarray(first, first + count * width))
    this.first = 0
  }

  /** Last row up to an instant; -1 for none. */
  lastUpTo(atMs: number): number {
    const { data, first, width } = this
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((data[first + middle * width] as number) <= atMs) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /**
   * The same for equidistant instants, into `rows`. Written without calls, because whole searches
   * run before it is compiled.
   */
  lastUpToEach(firstMs: number, stepMs: number, rows: Int32Array): void {
    const { data, width, first } = this
    const end = first + this.count * width
    let row = this.lastUpTo(firstMs)
    let next = first + (row + 1) * width
    for (let at = 0, atMs = firstMs; at < rows.length; at++, atMs += stepMs) {
      while (next < end && (data[next] as number) <= atMs) {
        next += width
        row++
      }
      rows[at] = row
    }
  }

  /** Infinity after the last row. */
  timeMs(row: number): number {
    return row < this.count ? this.get(row, 0) : Number.POSITIVE_INFINITY
  }

  protected get(row: number, place: number): number {
    return this.data[this.first + row * this.width + place] as number
  }
}
