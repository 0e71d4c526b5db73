import { UserError } from '../../platform/user-error.ts'
import { decimalPlaces, isZero, roundedDecimal } from '../decimal-text.ts'
import { readLines } from '../text-lines.ts'
import { BARE_COLUMNS, type CandleColumns, cellsOf, columnsOf, FIELDS } from './candle-columns.ts'
import {
  CandleSeries,
  candleFlaw,
  type RecordedCandle,
  type RecordedCandles,
} from './candle-series.ts'
import { looksLikeTime, readTime, type TimeForm } from './candle-time.ts'

/**
 * Reads a file of candles: CSV, plain or packed with gzip or zstd, a candle a line, oldest first.
 *
 * A header may name the columns `time,open,high,low,close,volume`, and others that are passed over;
 * without one they stand in this order. A column `coin` sets the candles of several coins apart.
 * What cannot be right is a UserError that names file, line and field.
 */
export async function readCandles(file: string): Promise<RecordedCandles[]> {
  const reader = new CandleFile(file)
  for await (const { first, lines } of readLines(file))
    for (const [at, line] of lines.entries()) reader.take(first + at, line)
  return reader.result()
}

/** Candles of a file, taken line by line. */
export class CandleFile {
  /** Numbers that had more digits than are exact, and were rounded. */
  rounded = 0
  private columns: CandleColumns | null = null
  private readonly series = new Map<string | null, CandleSeries>()

  constructor(private readonly file: string) {}

  /** Takes the next line: the header, if there is one, comes first. */
  take(line: number, text: string): void {
    if (text.trim() === '') return
    this.takeCells(line, cellsOf(text.replace(/^\ufeff/, '')))
  }

  /** The same of cells that are cut already. */
  takeCells(line: number, cells: readonly string[]): void {
    if (this.columns !== null) return this.add(line, cells, this.columns)
    const isHeader = !looksLikeTime(cells[0] ?? '')
    this.columns = isHeader ? this.named(line, cells) : BARE_COLUMNS
    if (!isHeader) this.add(line, cells, this.columns)
  }

  /** The candles of each coin; a UserError when there are too few. */
  result(): RecordedCandles[] {
    if (this.series.size === 0)
      throw new UserError(`${this.file}: there is no candle in it: give a line for each`)
    return [...this.series.values()].map((series) => series.result())
  }

  private named(line: number, cells: readonly string[]): CandleColumns {
    const columns = columnsOf(cells)
    if (!('missing' in columns)) return columns
    throw new UserError(
      `${this.file}: line ${line} has no column ${columns.missing.join(', ')}: the header names ` +
        `${FIELDS.join(',')}, and coin where there are several`,
    )
  }

  private add(line: number, cells: readonly string[], columns: CandleColumns): void {
    const { timeMs, form } = this.timeIn(line, cells[columns.time] ?? '')
    const price = (field: 'open' | 'high' | 'low' | 'close') => {
      const text = this.numberIn(line, field, cells[columns[field]])
      if (isZero(text)) throw candleFlaw(this.file, line, field, 'is 0: a price is more than that')
      return text
    }
    const candle: RecordedCandle = {
      line,
      timeMs,
      open: price('open'),
      high: price('high'),
      low: price('low'),
      close: price('close'),
      volume: this.numberIn(line, 'volume', cells[columns.volume]),
    }
    this.seriesOf(line, columns.coin === null ? null : cells[columns.coin]).add(candle, form)
  }

  private timeIn(line: number, text: string): { timeMs: number; form: TimeForm } {
    const time = readTime(text)
    if ('flaw' in time) throw candleFlaw(this.file, line, 'time', `"${text}" is ${time.flaw}`)
    return time
  }

  private numberIn(line: number, field: string, text: string | undefined): string {
    if (text === undefined || text === '')
      throw candleFlaw(this.file, line, field, `is missing: a line has ${FIELDS.join(',')}`)
    if (text.startsWith('-'))
      throw candleFlaw(this.file, line, field, `${text} is negative: 0 or more`)
    if (decimalPlaces(text) >= 0) return text
    const rounded = roundedDecimal(text)
    if (rounded === null)
      throw candleFlaw(
        this.file,
        line,
        field,
        `"${text}" is no number of at most 15 digits, such as 95012.5`,
      )
    this.rounded++
    return rounded
  }

  private seriesOf(line: number, coin: string | null | undefined): CandleSeries {
    if (coin === undefined || coin === '')
      throw candleFlaw(this.file, line, 'coin', 'is missing: each line names its coin')
    const known = this.series.get(coin)
    if (known !== undefined) return known
    const series = new CandleSeries(this.file, coin)
    this.series.set(coin, series)
    return series
  }
}
