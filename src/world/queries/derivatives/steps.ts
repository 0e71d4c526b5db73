/**
 * Values that stand until the next one comes (open interest, funding rates), an hour of an
 * instrument at a time in memory, and candles over them.
 */
import type { Statement } from 'bun:sqlite'
import { lastUpTo } from '../../books/shelf.ts'
import { Cache } from '../../cache.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'

/** Open, highest, lowest and last of what stood; open is what stood when the bucket began. */
export interface Ohlc {
  open: number
  high: number
  low: number
  close: number
}

/** What a value that came at an instant is counted as; rising with the value within an hour. */
export type Counting = (value: number, timeMs: number) => number

interface Source {
  /** `instrument = ? and timeMs >= ? and timeMs < ?`, in order; rows begin with the time. */
  between: Statement
  /** The newest with `instrument = ? and timeMs <= ?`. */
  before: Statement
  value: (of: InstrumentRow, row: number[]) => number
}

interface Hour {
  timesMs: Float64Array
  values: Float64Array
  /** null while there is nothing in it. */
  sums: Ohlc | null
}

const HOUR_MS = 3_600_000
/** History is sparse: there a whole day is read at once. */
const HOURS_AT_ONCE = 24
/** Values kept in memory, 16 bytes each. */
const KEPT = 1_000_000

export class Steps {
  private readonly hours = new Cache<number, Hour>(KEPT, ({ values }) => values.length)

  constructor(
    private readonly world: World,
    private readonly source: Source,
  ) {}

  /** What stood at an instant; null before the first. */
  at(of: InstrumentRow, atMs: number, counted: Counting = asItIs): number | null {
    const row = this.source.before.values(of.id, atMs)[0] as number[] | undefined
    return row ? counted(this.source.value(of, row), row[0] as number) : null
  }

  /** One candle for each `[edges[i], edges[i + 1])`; null while nothing had come. */
  candles(of: InstrumentRow, edgesMs: number[], counted: Counting = asItIs): (Ohlc | null)[] {
    const candles: (Ohlc | null)[] = []
    let stood = this.at(of, (edgesMs[0] ?? 0) - 1, counted)
    for (let at = 0; at + 1 < edgesMs.length; at++) {
      const fold = new Fold(stood)
      const [fromMs, toMs] = [edgesMs[at] as number, edgesMs[at + 1] as number]
      for (let hourMs = floorTo(fromMs, HOUR_MS); hourMs < toMs; hourMs += HOUR_MS)
        part(fold, this.hour(of, hourMs), hourMs, fromMs, toMs, counted)
      candles.push(fold.candle)
      stood = fold.candle?.close ?? stood
    }
    return candles
  }

  private hour(of: InstrumentRow, startMs: number): Hour {
    const key = keyOf(of.id, startMs)
    const known = this.hours.find(key)
    if (known) return known
    const count = startMs + HOUR_MS <= this.world.startMs ? HOURS_AT_ONCE : 1
    const firstMs = floorTo(startMs, count * HOUR_MS)
    return this.read(of, firstMs, count)[(startMs - firstMs) / HOUR_MS] as Hour
  }

  private read(of: InstrumentRow, startMs: number, count: number): Hour[] {
    const rows = this.source.between.values(of.id, startMs, startMs + count * HOUR_MS) as number[][]
    let at = 0
    return Array.from({ length: count }, (_, hour) => {
      const hourMs = startMs + hour * HOUR_MS
      let end = at
      while (end < rows.length && (rows[end]?.[0] as number) < hourMs + HOUR_MS) end++
      const read = hourOf(of, rows.slice(at, end), this.source)
      at = end
      return this.hours.put(keyOf(of.id, hourMs), read)
    })
  }
}

const asItIs: Counting = (value) => value

const keyOf = (instrument: number, startMs: number) => instrument * 2 ** 32 + startMs / HOUR_MS

const floorTo = (timeMs: number, lengthMs: number) => Math.floor(timeMs / lengthMs) * lengthMs

function hourOf(of: InstrumentRow, rows: number[][], { value }: Source): Hour {
  const timesMs = Float64Array.from(rows, ([timeMs]) => timeMs as number)
  const values = Float64Array.from(rows, (row) => value(of, row))
  const fold = new Fold(values[0] ?? null)
  for (const one of values) fold.add(one)
  return { timesMs, values, sums: fold.candle }
}

/** Adds what of the hour lies in [fromMs, toMs). */
function part(
  fold: Fold,
  { timesMs, values, sums }: Hour,
  hourMs: number,
  fromMs: number,
  toMs: number,
  counted: Counting,
): void {
  if (sums === null) return
  if (fromMs <= hourMs && hourMs + HOUR_MS <= toMs) {
    for (const value of [sums.open, sums.high, sums.low, sums.close])
      fold.add(counted(value, hourMs))
    return
  }
  const end = lastUpTo(timesMs, toMs - 1)
  for (let at = lastUpTo(timesMs, fromMs - 1) + 1; at <= end; at++)
    fold.add(counted(values[at] as number, timesMs[at] as number))
}

/** A candle in the making, beginning with what stood. */
class Fold {
  candle: Ohlc | null

  constructor(stood: number | null) {
    this.candle = stood === null ? null : { open: stood, high: stood, low: stood, close: stood }
  }

  add(value: number): void {
    if (this.candle === null) this.candle = { open: value, high: value, low: value, close: value }
    const { candle } = this
    if (value > candle.high) candle.high = value
    if (value < candle.low) candle.low = value
    candle.close = value
  }
}
