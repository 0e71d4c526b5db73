import { UserError } from '../../platform/user-error.ts'
import { wholeNumber } from '../decimal-text.ts'
import type { TableRow } from './table-row.ts'

/** How many of a unit are a millisecond, as a shift of the decimal point. */
const SHIFTS = { s: -3, ms: 0, us: 3, ns: 6 } as const

/** How a time is written; `auto` tells them apart by their digits, ISO 8601 from all of them. */
export const TIME_UNITS = ['auto', 's', 'ms', 'us', 'ns', 'iso'] as const
export type TimeUnit = (typeof TIME_UNITS)[number]

/** Times before 2000 and after 2100 are those of another unit. */
const [MIN_MS, MAX_MS] = [Date.UTC(2000), Date.UTC(2100)]
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s?(Z|UTC|[+-]\d\d:?\d\d)?)?$/

/**
 * Reads a time in whole ms since 1970, what is finer cut off; ISO 8601 without a zone is UTC.
 *
 * A time that is none, or not between the years 2000 and 2100, is a `UserError`.
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

/** The same of a cell of microseconds, without a text for it. */
export function rowTimeMs(row: TableRow, place: number): number {
  const timeMs = Math.floor(row.whole(place) / 1000)
  return timeMs >= MIN_MS && timeMs < MAX_MS ? timeMs : readTimeMs(row.cell(place), 'us')
}

/** The same of a number of milliseconds, as frames have it. */
export function frameTimeMs(timeMs: number): number {
  return timeMs >= MIN_MS && timeMs < MAX_MS ? timeMs : readTimeMs(String(timeMs), 'ms')
}

/** The same of the digits of a clock among bytes; null where they are no time. */
export function clockMs(bytes: Uint8Array, from: number, to: number): number | null {
  const end = to - SHIFTS[unitOf(to - from)]
  let timeMs = 0
  for (let at = from; at < end; at++) timeMs = timeMs * 10 + (bytes[at] ?? 0) - ZERO
  return timeMs >= MIN_MS && timeMs < MAX_MS ? timeMs : null
}

const ZERO = 48

function timeIn(text: string, unit: TimeUnit): number {
  if (unit === 'iso') return isoMs(text)
  // Most rows have whole numbers, and an expression costs more than all the rest of a cell.
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
