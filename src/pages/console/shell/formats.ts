/** Formats of numbers and times in the console: times are in UTC, as on a tape. */

/** `14:05:09`. */
export const timeText = (ms: number): string => new Date(ms).toISOString().slice(11, 19)

/** `14:05:09.120`. */
export const exactTimeText = (ms: number): string => new Date(ms).toISOString().slice(11, 23)

/** `2026-06-01`. */
export const dateText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** `2026-06-01 14:05:09`. */
export const dateTimeText = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** `06-01 14:05`, or with seconds; without the year. */
export const dayTimeText = (ms: number, to: 'minutes' | 'seconds' = 'minutes'): string =>
  dateTimeText(ms).slice(5, to === 'minutes' ? 16 : 19)

/** `1,234.5`, with so many decimals, or as many as it has. */
export function numberText(value: number | string, digits?: number): string {
  const [whole = '', rest] = (
    digits === undefined ? String(value) : Number(value).toFixed(digits)
  ).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return rest === undefined ? grouped : `${grouped}.${rest}`
}

/** `1.23M`: three significant digits. */
export function shortText(value: number | string): string {
  const number = Number(value)
  const size = Math.abs(number)
  if (!Number.isFinite(number)) return '–'
  const [unit, letter] = UNITS.find(([least]) => size >= least) ?? [1, '']
  const scaled = number / unit
  const digits = size === 0 || Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2
  return scaled.toFixed(digits) + letter
}

const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const

/** `$1.23M`. */
export const dollarText = (value: number | string): string =>
  Number(value) < 0 ? `-$${shortText(-Number(value))}` : `$${shortText(value)}`

/** `+1.20%` of a fraction. */
export function percentText(fraction: number | string, digits = 2): string {
  const percent = Number(fraction) * 100
  if (!Number.isFinite(percent)) return '–'
  return `${percent > 0 ? '+' : ''}${percent.toFixed(digits)}%`
}

/** `0x1234…cdef`. */
export const shortAddress = (address: string): string =>
  address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address

/** Class of a positive or negative number. */
export const signClass = (value: number | string): 'up' | 'down' | '' => {
  const number = Number(value)
  return number > 0 ? 'up' : number < 0 ? 'down' : ''
}
