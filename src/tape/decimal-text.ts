/** Most digits a number of a tape may have: every such number is exact as a whole number. */
export const DIGITS_MAX = 15

const [ZERO, NINE, POINT, MINUS] = [48, 57, 46, 45]

/**
 * Number of decimals of an unsigned decimal string; -1 for anything else.
 *
 * Refused are signs, exponents, needless leading zeros and more than fifteen digits.
 */
export function decimalPlaces(text: unknown): number {
  if (typeof text !== 'string') return -1
  const length = text.length
  if (length === 0 || length > DIGITS_MAX + 1) return -1
  let point = -1
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code >= ZERO && code <= NINE) continue
    if (code !== POINT || point >= 0 || i === 0 || i === length - 1) return -1
    point = i
  }
  if (text.charCodeAt(0) === ZERO && length > 1 && point !== 1) return -1
  if (point < 0) return length > DIGITS_MAX ? -1 : 0
  return length - 1 - point
}

/**
 * The nearest decimal of at most fifteen digits, and of `decimalsMax` decimals where it is 1 or
 * more, to an unsigned decimal text of more digits; null where there is none.
 *
 * Doubles keep fifteen digits: what stands behind them is noise of the arithmetic of the source.
 */
export function roundedDecimal(text: unknown, decimalsMax = DIGITS_MAX): string | null {
  if (typeof text !== 'string' || text.length > WRITTEN_MAX) return null
  const [, whole = '', fraction = ''] = /^0*(\d+)\.(\d+)$/.exec(text) ?? []
  if (whole === '' || whole.length > DIGITS_MAX) return null
  const least = whole === '0' ? DIGITS_MAX : decimalsMax
  const kept = Math.min(fraction.length, DIGITS_MAX - whole.length, least)
  const step = 10n ** BigInt(fraction.length - kept)
  const units = (BigInt(whole + fraction) + step / 2n) / step
  const digits = units.toString().padStart(kept + 1, '0')
  const point = digits.length - kept
  const rounded = canonicalDecimal(`${digits.slice(0, point)}.${digits.slice(point)}`)
  return decimalPlaces(rounded) < 0 ? null : rounded
}

/** More characters than any source writes for a number. */
const WRITTEN_MAX = 80

/**
 * A text of one to fifteen or, where the number is exact, sixteen digits; -1 for anything else.
 * Or a part of a text.
 */
export function wholeNumber(text: string, from = 0, to = text.length): number {
  if (to <= from || to - from > DIGITS_MAX + 1) return -1
  let value = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code < ZERO || code > NINE) return -1
    value = value * 10 + (code - ZERO)
  }
  return value <= Number.MAX_SAFE_INTEGER ? value : -1
}

/** Digits before the point of a decimal string with that many decimals. */
export function integerDigits(text: string, decimals: number): number {
  return decimals === 0 ? text.length : text.length - decimals - 1
}

/** The same as `places` for a decimal that may have a minus sign. */
export function signedDecimalPlaces(text: unknown): number {
  if (typeof text !== 'string') return -1
  return decimalPlaces(text.charCodeAt(0) === MINUS ? text.slice(1) : text)
}

/** True when a decimal string, already checked, is zero. */
export function isZero(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code !== ZERO && code !== POINT && code !== MINUS) return false
  }
  return true
}

/** Without needless zeros at either end: `105055.0` and `0105055` are `105055`, `0.000` is `0`. */
export function canonicalDecimal(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  if (text.charCodeAt(0) !== ZERO && last !== ZERO && last !== POINT) return text
  let start = 0
  while (text.charCodeAt(start) === ZERO && text.charCodeAt(start + 1) >= ZERO) start++
  let end = text.length
  if (text.includes('.')) {
    while (text.charCodeAt(end - 1) === ZERO) end--
    if (text.charCodeAt(end - 1) === POINT) end--
  }
  return text.slice(start, end)
}
