import { UserError } from '../../platform/user-error.ts'
import { BARE_COLUMNS, CandleFile, columnsOf, looksLikeTime } from '../candles/candle-file.ts'
import type { RecordedCandle, RecordedCandles } from '../candles/candle-series.ts'
import type { EventDraft, Instrument, Side } from '../tape-event.ts'
import { LeftOut } from './bad-rows.ts'
import { decimalText, scaled } from './contract-size.ts'
import { csvCells, delimiterOf } from './csv-cells.ts'
import { DecimalReader, ROUNDED } from './decimal-reader.ts'
import type { Importer, ImportOptions, RecordingReader } from './importer.ts'
import { guessInstrument, splitSymbol } from './market-symbol.ts'
import type { Sample } from './sample.ts'
import type { TableRow } from './table-row.ts'
import { cellNumber } from './table-row.ts'

/**
 * Candles as exchanges export them, in the format and by the rules of `--history`.
 *
 * A candle becomes four trades, of its open, its two extremes (the low first when it rose) and its
 * close, with a quarter of its volume each: candles of a tape answer with the same numbers.
 */
export const candles: Importer = {
  name: 'candles',
  order: 'merged',
  container: 'table',
  recognises: ({ container, columns, line }) => {
    if (container !== 'table') return false
    if (columns !== null) return !('missing' in columnsOf(columns))
    const cells = csvCells(line, delimiterOf(line))
    const time = cells[BARE_COLUMNS.time] ?? ''
    if (!looksLikeTime(time) && !MICROSECONDS.test(time)) return false
    return cells.length >= 6 && cells.slice(1, 6).every((cell) => NUMBER.test(cell))
  },
  createReader: (options) => new CandleReader(options),
}

const NUMBER = /^\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/
const EXPONENT = /^[\d.]+[eE][+-]?\d{1,2}$/
/** As in Parquet's timestamp type, and everywhere on some exchanges. */
const MICROSECONDS = /^\d{13}000$/

class CandleReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly decimals = new DecimalReader(true, this.leftOut)
  private readonly coins = new Map<string, string>()
  private candles: CandleFile | null = null
  private name = ''
  private nameOfFile = ''
  private timePlace = BARE_COLUMNS.time
  private firstTime: string | null = null
  private first: HeldRow | null = null
  private held: HeldRow[] | null = null

  constructor(private readonly options: ImportOptions) {}

  begin({ base, name, columns }: Sample): void {
    this.candles = new CandleFile(name)
    this.name = name
    this.nameOfFile = base
    if (columns === null) return
    const found = columnsOf(columns)
    if ('missing' in found)
      throw new UserError(
        `lacks the columns ${found.missing.join(', ')}; it has ${columns.join(', ')}`,
      )
    this.timePlace = found.time
    this.candles.takeCells(1, columns)
  }

  record(row: TableRow, line: number): EventDraft[] {
    const cells = row.cells().map((cell, place) => {
      if (place === this.timePlace) return MICROSECONDS.test(cell) ? cell.slice(0, -3) : cell
      return EXPONENT.test(cell) ? (cellNumber(cell) ?? cell) : cell
    })
    this.take(line, cells)
    return []
  }

  /** Of a file that begins with its newest candle all are held until it has ended. */
  private take(line: number, cells: string[]): void {
    const time = cells[this.timePlace] ?? ''
    const { firstTime, held } = this
    if (firstTime === null) this.firstTime = time
    else if (held === null) this.held = isEarlier(time, firstTime) ? [] : NONE_HELD
    if (firstTime === null) this.first = { line, cells }
    else if (this.held === NONE_HELD) this.given({ line, cells })
    else this.held?.push({ line, cells })
  }

  private given({ line, cells }: HeldRow): void {
    const { first } = this
    this.first = null
    if (first) this.given(first)
    try {
      this.candles?.takeCells(line, cells)
    } catch (error) {
      throw withoutPlace(error, `${this.name}: line ${line}, `)
    }
  }

  /** The length of candles is known only after the last. */
  end(): EventDraft[] {
    const { first, held } = this
    if (held !== null && held !== NONE_HELD) {
      this.first = null
      for (const row of held.reverse()) this.given(row)
    }
    if (first) this.given(first)
    const { rounded = 0 } = this.candles ?? {}
    if (rounded > 0) this.leftOut.count(ROUNDED, rounded)
    const drafts = this.candles?.result().flatMap((series) => this.series(series)) ?? []
    return drafts.sort((a, b) => a.time - b.time)
  }

  instruments(): Instrument[] {
    return [...this.coins].map(([coin, quote]) =>
      guessInstrument(coin, quote, this.decimals.decimals(coin)),
    )
  }

  private series({ coin: named, lengthMs, candles, missing }: RecordedCandles): EventDraft[] {
    if (missing > 0) this.leftOut.count('interval without a candle', missing)
    const symbol = named ?? this.options.coin ?? symbolIn(this.nameOfFile)
    const { coin, quote } = splitSymbol(symbol)
    this.coins.set(coin, quote)
    return candles.flatMap((candle) => this.trades(coin, candle, lengthMs))
  }

  private trades(coin: string, candle: RecordedCandle, lengthMs: number): EventDraft[] {
    const { timeMs, open, high, low, close, volume } = candle
    const rose = Number(close) >= Number(open)
    const prices = rose ? [open, low, high, close] : [open, high, low, close]
    const sizes = quarters(volume)
    if (sizes === null) this.leftOut.count('candle without volume')
    return (sizes ?? []).map((size, at) => {
      const [px, sz] = [this.decimals.px(coin, prices[at]), this.decimals.sz(coin, size)]
      const time = timeMs + Math.floor(((lengthMs - 1) * at) / 3)
      const [before, now] = [prices[at - 1] ?? px, prices[at] ?? px].map(Number)
      const side: Side = (now ?? 0) >= (before ?? 0) ? 'B' : 'A'
      return { time, kind: 'trade', coin, data: { side, px, sz } }
    })
  }
}

interface HeldRow {
  line: number
  cells: string[]
}

/** A file that begins with its oldest candle. */
const NONE_HELD: HeldRow[] = []

/** Of two times in one form. */
const isEarlier = (one: string, other: string): boolean =>
  one.length === other.length && one < other

/** A candle's error names its place, which the caller adds as well. */
function withoutPlace(error: unknown, place: string): unknown {
  if (!(error instanceof UserError) || !error.message.startsWith(place)) return error
  return new UserError(error.message.slice(place.length))
}

/** Four sizes that add up to a volume, with at most two more decimals; null when impossible. */
function quarters(volume: string): string[] | null {
  const { units, decimals } = scaled(volume)
  if (units === 0n) return null
  const [quarter, all] = [(units * 100n) / 4n, units * 100n]
  const text = (part: bigint) => decimalText(part, decimals + 2)
  return [text(quarter), text(quarter), text(quarter), text(all - 3n * quarter)]
}

/** `BTCUSDT-1m-2024-01.csv` is for BTCUSDT. */
function symbolIn(name: string): string {
  const symbol = /^[A-Za-z]{2,12}(?:[-_/][A-Z]{3,4}(?![a-z\d]))?/.exec(name)?.[0]
  if (symbol) return symbol
  throw new UserError(`${name}: does not say which coin its candles are of: name it with --coin`)
}
