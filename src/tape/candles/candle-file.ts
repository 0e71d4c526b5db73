import { existsSync } from 'node:fs'
import { UserError } from '../../platform/user-error.ts'
import { decimalPlaces, isZero, roundedDecimal } from '../decimal-text.ts'
import { readLines } from '../text-lines.ts'
import {
  CandleSeries,
  candleFlaw,
  type RecordedCandle,
  type RecordedCandles,
} from './candle-series.ts'

/**
 * Reads a file of candles: CSV, plain or packed with gzip or zstd, a candle a line, oldest first.
 *
 * A header may name the columns `time,open,high,low,close,volume`, and others that are ignored;
 * without one this order applies. A column `coin` separates the candles of several coins. An
 * invalid file is a UserError that names file, line and field.
 */
export async function readCandles(file: string): Promise<RecordedCandles[]> {
  const reader = new CandleFile(file)
  for await (const { first, lines } of readLines(file))
    for (const [at, line] of lines.entries()) reader.take(first + at, line)
  return reader.result()
}

/** Candles of a file, taken line by line. */
export class CandleFile {
  /** Count of numbers that had more digits than are exact, and were rounded. */
  rounded = 0
  private columns: CandleColumns | null = null
  private readonly series = new Map<string | null, CandleSeries>()

  constructor(private readonly file: string) {}

  /** Takes the next line; a header must be the first. */
  take(line: number, text: string): void {
    if (text.trim() === '') return
    this.takeCells(line, cellsOf(text.replace(/^\ufeff/, '')))
  }

  /** The same for cells that are split already. */
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

/** Columns of a candle's fields in a file. */
const FIELDS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const
export type CandleField = (typeof FIELDS)[number]

/** Index of each field in a line; the coin's is null where there is none. */
type CandleColumns = Record<CandleField, number> & { coin: number | null }

/** Column order of a file without a header. */
export const BARE_COLUMNS: CandleColumns = {
  time: 0,
  open: 1,
  high: 2,
  low: 3,
  close: 4,
  volume: 5,
  coin: null,
}

/** Names of the time column. */
const TIME_NAMES = [
  'unix',
  'time',
  'timestamp',
  'date',
  'datetime',
  'open_time',
  'opentime',
  'open time',
]

/** Some exports write the unit behind it, that of the coin first: `Volume BTC`, `Volume USDT`. */
const isNamed = (field: CandleField, name: string): boolean =>
  field === 'time'
    ? TIME_NAMES.includes(name)
    : name === field || (field === 'volume' && /^volume [a-z\d]{2,10}$/.test(name))

/** The columns of a header, in any order and case; or the missing fields. */
export function columnsOf(header: readonly string[]): CandleColumns | { missing: CandleField[] } {
  const names = header.map((name) => name.toLowerCase())
  const places = FIELDS.map((field): [CandleField, number] => [
    field,
    names.findIndex((name) => isNamed(field, name)),
  ])
  // Notebooks write their index first, without a name.
  const [time] = places
  if (time && time[1] < 0 && names[0] === '') time[1] = 0
  const missing = places.filter(([, place]) => place < 0).map(([field]) => field)
  if (missing.length > 0) return { missing }
  const coin = names.indexOf('coin')
  const columns = Object.fromEntries(places) as Record<CandleField, number>
  return { ...columns, coin: coin < 0 ? null : coin }
}

/** Trimmed cells of a line. */
const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.trim())

/** Units of times in a file of candles. */
const MS_PER = { seconds: 1000, milliseconds: 1 } as const

/** Format of a time. */
export type TimeForm = keyof typeof MS_PER | 'ISO 8601'

/** A time as written, or its flaw. */
type ReadTime = { timeMs: number; form: TimeForm } | { flaw: string }

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Reads a time: seconds of ten digits, milliseconds of thirteen, or ISO 8601 with its zone (a bare
 * day is in UTC). These are unambiguous from the year 2001 to 2286.
 */
function readTime(text: string): ReadTime {
  if (/^\d{10}$/.test(text)) return { timeMs: Number(text) * MS_PER.seconds, form: 'seconds' }
  if (/^\d{13}$/.test(text)) return { timeMs: Number(text), form: 'milliseconds' }
  const iso = ISO.exec(text)
  if (iso === null)
    return {
      flaw: /^\d+$/.test(text)
        ? `a number of ${text.length} digits: wanted are seconds (10 digits), ` +
          'milliseconds (13) or ISO 8601'
        : 'no time: wanted are seconds, milliseconds or ISO 8601, such as 2026-01-15T12:00:00Z',
    }
  if (text.length > 10 && iso[1] === undefined)
    return { flaw: 'a time without its zone: end it with Z if it is UTC' }
  const timeMs = Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(timeMs) || !isDay(text.slice(0, 10))
    ? { flaw: 'no day there is' }
    : { timeMs, form: 'ISO 8601' }
}

/** Date parses the 30th of February as a day of March. */
const isDay = (text: string): boolean => new Date(text).toISOString().startsWith(text)

/** Whether a cell can be the time of a candle; the names of a header cannot. */
export const looksLikeTime = (text: string): boolean => /^\d/.test(text)

// Names of candles for the time before a tape: a file, or a coin and its file.

/** A file of candles; without a coin, the file itself names its coins. */
export interface HistoryName {
  coin: string | null
  file: string
}

/**
 * Parses `FILE` or `COIN=FILE`: text before the first `=` is a coin, unless the whole text names a
 * file.
 *
 * @param placed resolves a file name
 */
export function readHistoryName(
  text: string,
  placed: (file: string) => string = (file) => file,
): HistoryName {
  const end = text.indexOf('=')
  if (end < 1 || existsSync(placed(text))) return { coin: null, file: placed(text) }
  const file = text.slice(end + 1)
  if (file === '') throw new UserError(`--history ${text} names no file: write ${text}FILE`)
  return { coin: text.slice(0, end), file: placed(file) }
}

/** The inverse of `readHistoryName`. */
export const historyNameText = ({ coin, file }: HistoryName): string =>
  coin === null ? file : `${coin}=${file}`
