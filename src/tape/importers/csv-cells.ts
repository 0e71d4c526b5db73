import { UserError } from '../../platform/user-error.ts'
import { wholeNumber } from '../decimal-text.ts'
import type { TableRow } from './table-row.ts'

/** Trimmed cells of a CSV line; quoted ones may contain the delimiter. */
export function csvCells(line: string, delimiter = ','): string[] {
  const text = line.charCodeAt(line.length - 1) === RETURN ? line.slice(0, -1) : line
  if (!text.includes('"')) {
    const cells = text.split(delimiter)
    // Few files have spaces, and searching for one is cheaper than trimming every cell.
    return text.includes(' ') ? cells.map((cell) => cell.trim()) : cells
  }
  return quotedCells(text, delimiter)
}

const RETURN = 13

function quotedCells(text: string, delimiter: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at <= text.length) {
    const start = at + (/^\s*/.exec(text.slice(at, at + 40))?.[0].length ?? 0)
    if (text[start] !== '"') {
      const end = endOf(text, delimiter, at)
      cells.push(text.slice(at, end).trim())
      at = end + 1
      continue
    }
    const close = closingQuote(text, start + 1)
    cells.push(text.slice(start + 1, close).replaceAll('""', '"'))
    const end = endOf(text, delimiter, close)
    if (text.slice(close + 1, end).trim() !== '')
      throw new UserError('has text after a quoted cell')
    at = end + 1
  }
  return cells
}

function endOf(text: string, delimiter: string, from: number): number {
  const end = text.indexOf(delimiter, from)
  return end < 0 ? text.length : end
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at
  throw new UserError('has a quoted cell without an end: a row is one line')
}

/** Delimiter of a first line: a comma, unless only another one occurs. */
export function delimiterOf(line: string): string {
  if (line.includes(',')) return ','
  return [';', '\t', '|'].find((one) => line.includes(one)) ?? ','
}

/** Whether a first line is a header: a row begins with a number or a time. */
export const isHeader = (cells: readonly string[]): boolean => !/^[\d.+-]/.test(cells[0] ?? '')

/** Decimal shift from a unit to milliseconds. */
const SHIFTS = { s: -3, ms: 0, us: 3, ns: 6 } as const

/** Formats of a time; `auto` detects them by their digits, or ISO 8601. */
export const TIME_UNITS = ['auto', 's', 'ms', 'us', 'ns', 'iso'] as const
export type TimeUnit = (typeof TIME_UNITS)[number]

/** Times outside of 2000 to 2100 are in another unit. */
const [MIN_MS, MAX_MS] = [Date.UTC(2000), Date.UTC(2100)]
/** Between day and time BitMEX writes a D. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T D](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s?(Z|UTC|[+-]\d\d:?\d\d)?)?$/

/**
 * Reads a time in whole ms since 1970, truncated; ISO 8601 without a zone is UTC.
 *
 * An invalid time, or one outside the years 2000 to 2100, is a `UserError`.
 */
export function readTimeMs(text: string, unit: TimeUnit): number {
  const timeMs = timeIn(text, unit)
  if (timeMs >= MIN_MS && timeMs < MAX_MS) return timeMs
  if (Number.isNaN(timeMs)) throw new UserError(`has a time ${shown(text)} that is no time`)
  throw new UserError(
    `has a time ${shown(text)} that is not between the years 2000 and 2100` +
      `${unit === 'auto' ? '' : `, as ${unit}`}: another unit?`,
  )
}

/** The same for a cell of microseconds, without a string for it. */
export function rowTimeMs(row: TableRow, place: number): number {
  const timeMs = Math.floor(row.whole(place) / 1000)
  return timeMs >= MIN_MS && timeMs < MAX_MS ? timeMs : readTimeMs(row.cell(place), 'us')
}

/** The same for a number of milliseconds, as in frames. */
export function frameTimeMs(timeMs: number): number {
  return timeMs >= MIN_MS && timeMs < MAX_MS ? timeMs : readTimeMs(String(timeMs), 'ms')
}

/** The same for a clock's digits in bytes; null where they are no time. */
export function clockMs(bytes: Uint8Array, from: number, to: number): number | null {
  const end = to - SHIFTS[unitOf(to - from)]
  let timeMs = 0
  for (let at = from; at < end; at++) timeMs = timeMs * 10 + (bytes[at] ?? 0) - ZERO
  return timeMs >= MIN_MS && timeMs < MAX_MS ? timeMs : null
}

const ZERO = 48

function timeIn(text: string, unit: TimeUnit): number {
  if (unit === 'iso') return isoMs(text)
  // Most rows have whole numbers, and a regular expression costs more than all other work on a
  // cell.
  const count = wholeNumber(text)
  if (count >= 0 && unit === 'us') return Math.floor(count / 1000)
  if (count >= 0 && unit === 'ms') return count
  return /^\d{4}-/.test(text) ? isoMs(text) : countedMs(text, unit)
}

function countedMs(text: string, unit: TimeUnit): number {
  const match = /^(\d{1,19})(?:\.(\d*))?$/.exec(text)
  if (!match) return Number.NaN
  const [, whole = '', fraction = ''] = match
  const shift = SHIFTS[(unit === 'auto' ? unitOf(whole.length) : unit) as keyof typeof SHIFTS]
  if (shift > 0) return Number(whole.slice(0, -shift))
  return Number(whole + fraction.slice(0, -shift).padEnd(-shift, '0'))
}

/** From 2001 to 2286 seconds have 10 digits, milliseconds 13, and so on. */
function unitOf(digits: number): keyof typeof SHIFTS {
  if (digits <= 11) return 's'
  if (digits <= 14) return 'ms'
  return digits <= 17 ? 'us' : 'ns'
}

function isoMs(text: string): number {
  const match = ISO.exec(text)
  if (!match) return Number.NaN
  const [, day = '', time = '00:00', fraction = '', zone = 'Z'] = match
  const seconds = time.length === 5 ? `${time}:00` : time
  const thousandths = fraction.slice(0, 4).padEnd(fraction === '' ? 0 : 4, '0')
  return Date.parse(`${day}T${seconds}${thousandths}${zone === 'UTC' ? 'Z' : zone}`)
}

const shown = (text: string): string => `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
