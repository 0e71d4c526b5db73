import { UserError } from '../../platform/user-error.ts'
import { BARE_COLUMNS, columnsOf } from '../candles/candle-columns.ts'
import { CandleFile } from '../candles/candle-file.ts'
import type { RecordedCandle, RecordedCandles } from '../candles/candle-series.ts'
import { looksLikeTime } from '../candles/candle-time.ts'
import type { EventDraft, Instrument, Side } from '../tape-event.ts'
import { decimalText, scaled } from './contract-size.ts'
import { csvCells, delimiterOf } from './csv-cells.ts'
import { DecimalReader, ROUNDED } from './decimal-reader.ts'
import type { Importer, ImportOptions, RecordingReader } from './importer.ts'
import { guessInstrument } from './instrument-guess.ts'
import { LeftOut } from './left-out.ts'
import { splitSymbol } from './market-symbol.ts'
import type { Sample } from './sample.ts'
import { cellNumber } from './table-columns.ts'
import type { TableRow } from './table-row.ts'

/**
 * Candles as exchanges export them, in the form and by the rules of `--history`.
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
/** As Parquet has times of its own type, and some exchanges all of them. */
const MICROSECONDS = /^\d{13}000$/

class CandleReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly decimals = new DecimalReader(true, this.leftOut)
  private readonly coins = new Map<string, string>()
  private candles: CandleFile | null = null
  private name = ''
  private nameOfFile = ''
  private timePlace = BARE_COLUMNS.time

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
    try {
      this.candles?.takeCells(line, cells)
    } catch (error) {
      throw withoutPlace(error, `${this.name}: line ${line}, `)
    }
    return []
  }

  /** How long candles are is known only when the last has come. */
  end(): EventDraft[] {
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

  private series({ coin: named, lengthMs, candles }: RecordedCandles): EventDraft[] {
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

/** What a candle is refused for names its place, which is named by who tells it as well. */
function withoutPlace(error: unknown, place: string): unknown {
  if (!(error instanceof UserError) || !error.message.startsWith(place)) return error
  return new UserError(error.message.slice(place.length))
}

/** Four sizes that add up to a volume, of two more decimals at most; null when there is none. */
function quarters(volume: string): string[] | null {
  const { units, decimals } = scaled(volume)
  if (units === 0n) return null
  const [quarter, all] = [(units * 100n) / 4n, units * 100n]
  const text = (part: bigint) => decimalText(part, decimals + 2)
  return [text(quarter), text(quarter), text(quarter), text(all - 3n * quarter)]
}

/** `BTCUSDT-1m-2024-01.csv` is of BTCUSDT. */
function symbolIn(name: string): string {
  const symbol = /^[A-Za-z]{2,12}(?:[-_/][A-Z]{3,4}(?![a-z\d]))?/.exec(name)?.[0]
  if (symbol) return symbol
  throw new UserError(`${name}: does not say which coin its candles are of: name it with --coin`)
}
