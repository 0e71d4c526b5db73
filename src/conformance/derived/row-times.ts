/** Times of rows, in whatever form they are written. */
import { isJsonObject } from '../parsed-json.ts'

/** The time of the oldest row, ms; null when the rows have none. */
export function oldestTime(rows: readonly unknown[]): number | null {
  const times = rows.map(timeOf).filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** When a row is of, ms; null when it does not say. */
export function timeOf(row: unknown): number | null {
  if (Array.isArray(row)) return instantMs(row[0])
  if (!isJsonObject(row)) return instantMs(row)
  const name = TIME_NAMES.find((one) => row[one] !== undefined && row[one] !== null)
  return name === undefined ? null : instantMs(row[name])
}

/** An instant in ms, s, as digits or in ISO 8601, in ms; null for what is none. */
export function instantMs(value: unknown): number | null {
  if (typeof value === 'string' && !/^\d+$/.test(value)) {
    const ms = Date.parse(value)
    return Number.isNaN(ms) ? null : ms
  }
  const count = Number(value)
  if (!Number.isFinite(count) || count <= 0) return null
  return count < 1e11 ? count * 1000 : count
}

const TIME_NAMES = [
  'time',
  'timestamp',
  'openTime',
  'closeTime',
  'startTime',
  'createTime',
  'createtime',
  'statusTimestamp',
]
