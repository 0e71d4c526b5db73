import { excerptOf } from './recorded-data.ts'
import type { Instrument } from './tape-event.ts'

/** Maximum digits of a number in a tape: every such number is exact as a whole number. */
export const DIGITS_MAX = 15

const [ZERO, NINE, POINT, MINUS] = [48, 57, 46, 45]

/**
 * Number of decimals of an unsigned decimal string; -1 for anything else.
 *
 * Signs, exponents, needless leading zeros and more than fifteen digits are refused.
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
 * Rounds an unsigned decimal text with too many digits to fifteen digits, and to `decimalsMax`
 * decimals where it is 1 or more; null for anything else.
 *
 * Doubles keep fifteen digits: further ones are noise of the source's arithmetic.
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

/** Longer than any source's number. */
const WRITTEN_MAX = 80

/**
 * Value of one to fifteen or, where the number is exact, sixteen digits, in a text or a part of it;
 * -1 for anything else.
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

/** Digits before the point of a decimal string, given its number of decimals. */
function integerDigits(text: string, decimals: number): number {
  return decimals === 0 ? text.length : text.length - decimals - 1
}

/** The same as `decimalPlaces` for a decimal that may have a minus sign. */
export function signedDecimalPlaces(text: unknown): number {
  if (typeof text !== 'string') return -1
  return decimalPlaces(text.charCodeAt(0) === MINUS ? text.slice(1) : text)
}

/** True when a valid decimal string is zero. */
export function isZero(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code !== ZERO && code !== POINT && code !== MINUS) return false
  }
  return true
}

/** Removes needless zeros at both ends: `105055.0` and `0105055` are `105055`, `0.000` is `0`. */
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

/**
 * Valid prices and sizes of a coin. While its instrument is unknown, any digits are accepted, and
 * those seen must fit the instrument in the end.
 */
export class CoinNumbers {
  private readonly px: NumberExtent
  private readonly sz: NumberExtent

  constructor(private readonly instrument: Instrument | null) {
    this.px = new NumberExtent(instrument?.pxDecimals)
    this.sz = new NumberExtent(instrument?.szDecimals)
  }

  /** The flaw of a price as text; null for none. */
  priceFlaw(text: unknown): string | null {
    const decimals = decimalPlaces(text)
    if (decimals < 0 || isZero(text as string)) return `has ${excerptOf(text)} as a price`
    return this.px.takes(text as string, decimals) ? null : this.misplaced('price', text, this.px)
  }

  /** The same for a size. With `changes` zero is valid, for a removed level. */
  sizeFlaw(text: unknown, changes: boolean): string | null {
    const decimals = decimalPlaces(text)
    // A removed level has size "0" and no other spelling, so that readers may compare texts.
    if (decimals < 0 || (isZero(text as string) && !(changes && text === '0')))
      return `has ${excerptOf(text)} as a size`
    return this.sz.takes(text as string, decimals) ? null : this.misplaced('size', text, this.sz)
  }

  /** Keeps the digits of the checked event, or drops them when it is refused. */
  settle(isTaken: boolean): void {
    this.px.settle(isTaken)
    this.sz.settle(isTaken)
  }

  /** Why the numbers so far do not fit an instrument, as text; null when they do. */
  misfit({ pxDecimals, szDecimals }: Instrument): string | null {
    const [px, sz] = [this.px.seen, this.sz.seen]
    if (pxDecimals < px.decimals) return `has prices with ${px.decimals} decimals`
    if (szDecimals < sz.decimals) return `has sizes with ${sz.decimals} decimals`
    const digits = Math.max(px.integer + pxDecimals, sz.integer + szDecimals)
    return digits > DIGITS_MAX ? `has numbers of ${digits} digits, ${DIGITS_MAX} are exact` : null
  }

  private misplaced(quantity: string, text: unknown, extent: NumberExtent): string {
    const { most, seen } = extent
    if (this.instrument === null)
      return (
        `has ${quantity} ${excerptOf(text)}, others have ${seen.integer} digits before the point ` +
        `and ${seen.decimals} behind it: ${DIGITS_MAX} in all are exact`
      )
    return (
      `has ${quantity} ${excerptOf(text)}, of ${this.instrument.coin} it has at most ${most} ` +
      `decimals and ${DIGITS_MAX - most} digits before them`
    )
  }
}

interface Digits {
  integer: number
  decimals: number
}

/** Digits of decimal strings before and after the point. */
class NumberExtent {
  /** Maximum so far, where the limit is open. */
  seen: Digits = { integer: 0, decimals: 0 }
  /** The same before the event being checked; null where it has changed nothing. */
  private before: Digits | null = null

  /** `most`: maximum number of decimals. */
  constructor(readonly most = Number.POSITIVE_INFINITY) {}

  /** True when a number is exact as a whole number of the smallest steps. */
  takes(text: string, decimals: number): boolean {
    const integer = integerDigits(text, decimals)
    if (this.most !== Number.POSITIVE_INFINITY)
      return decimals <= this.most && integer + this.most <= DIGITS_MAX
    const { seen } = this
    if (integer <= seen.integer && decimals <= seen.decimals) return true
    const wider = {
      integer: Math.max(integer, seen.integer),
      decimals: Math.max(decimals, seen.decimals),
    }
    // No instrument could have both: refused now, so that the error names the line.
    if (wider.integer + wider.decimals > DIGITS_MAX) return false
    this.before ??= seen
    this.seen = wider
    return true
  }

  settle(isTaken: boolean): void {
    if (!isTaken) this.seen = this.before ?? this.seen
    this.before = null
  }
}
