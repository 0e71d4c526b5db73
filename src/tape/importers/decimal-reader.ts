import { UserError } from '../../platform/user-error.ts'
import {
  canonicalDecimal,
  DIGITS_MAX,
  decimalPlaces,
  isZero,
  roundedDecimal,
} from '../decimal-text.ts'

/** An unreadable number; `written` is its text, where there is any. */
export class NumberFlaw extends UserError {
  constructor(
    message: string,
    readonly written: string,
  ) {
    super(message)
  }
}

/** Counts numbers rounded to fifteen digits. */
export interface DigitCount {
  count(what: string): void
}

/** Reason under which rounded numbers are counted. */
export const ROUNDED = 'digits beyond the fifteenth of a number, which was rounded'
/** Decimals of a price or size of 1 and more: no exchange has finer steps. */
const STEP_DECIMALS = 8
/** Minimum figures of a coin's lowest price, which leaves room below it. */
const FIGURES = 4
/** Maximum decimals for that. */
const ROOM_DECIMALS = 12

/** Reads the numbers of a coin as plain decimals and tracks their maximum decimals. */
export class CoinDecimals {
  private pxDecimals = 0
  private szDecimals = 0
  /** Digits before the point of the lowest and the highest price; negative for zeros behind it. */
  private lowest = Number.POSITIVE_INFINITY
  private highest = 1

  constructor(
    private readonly coin: string,
    private readonly padded: boolean,
    private readonly rounded: DigitCount,
  ) {}

  /** A price above zero. */
  px(value: unknown): string {
    const written = plain(value, this.rounded, STEP_DECIMALS)
    const text = canonicalDecimal(written)
    this.pxDecimals = Math.max(this.pxDecimals, this.reported(written, text))
    if (text === '0') throw new UserError(`has a price of 0 for ${this.coin}`)
    const digits = magnitude(text)
    if (digits < this.lowest) this.lowest = digits
    if (digits > this.highest) this.highest = digits
    return text
  }

  /** A size, or 0 for a removed level. */
  sz(value: unknown): string {
    const written = plain(value, this.rounded, STEP_DECIMALS)
    const text = canonicalDecimal(written)
    this.szDecimals = Math.max(this.szDecimals, this.reported(written, text))
    return text
  }

  /**
   * Maximum decimals of its prices and sizes so far. Prices get more where the lowest has fewer
   * than four figures: one step of a price of 1 would be all of it.
   */
  decimals(): { pxDecimals: number; szDecimals: number } {
    const { szDecimals, lowest, highest } = this
    const room = Math.min(FIGURES - lowest, ROOM_DECIMALS, DIGITS_MAX - 1 - highest)
    return { pxDecimals: Math.max(this.pxDecimals, room), szDecimals }
  }

  /** Significant number of the written decimals. */
  private reported(written: string, text: string): number {
    const significant = this.padded ? text : written
    const point = significant.indexOf('.')
    return point < 0 ? 0 : significant.length - point - 1
  }
}

/** Digits before the point of a price; `0.05` has -1. */
function magnitude(text: string): number {
  const point = text.indexOf('.')
  if (text.charCodeAt(0) !== ZERO) return point < 0 ? text.length : point
  let zeros = 0
  while (text.charCodeAt(point + 1 + zeros) === ZERO) zeros++
  return -zeros
}

const ZERO = 48

/** Reads a recording's numbers as plain decimals and tracks the decimals of each coin. */
export class DecimalReader {
  private readonly coins = new Map<string, CoinDecimals>()

  /**
   * `padded`: the source pads its numbers, so trailing zeros are insignificant. `rounded` counts
   * the numbers with more digits than are exact.
   */
  constructor(
    private readonly padded: boolean,
    private readonly rounded: DigitCount,
  ) {}

  /** The reader of one coin, for many numbers. */
  of(coin: string): CoinDecimals {
    let known = this.coins.get(coin)
    if (known === undefined) {
      known = new CoinDecimals(coin, this.padded, this.rounded)
      this.coins.set(coin, known)
    }
    return known
  }

  /** A price above zero. */
  px(coin: string, value: unknown): string {
    return this.of(coin).px(value)
  }

  /** A size, or 0 for a removed level. */
  sz(coin: string, value: unknown): string {
    return this.of(coin).sz(value)
  }

  /** A price, rate or amount that does not affect the coin's decimals. */
  decimal(value: unknown, signed = false): string {
    const minus = signed && typeof value === 'string' && value.startsWith('-')
    const written = plain(minus ? (value as string).slice(1) : value, this.rounded, DIGITS_MAX)
    const canonical = canonicalDecimal(written)
    return minus && !isZero(canonical) ? `-${canonical}` : canonical
  }

  /** Decimals of a coin's prices and sizes, as `CoinDecimals` has them. */
  decimals(coin: string): { pxDecimals: number; szDecimals: number } {
    return this.of(coin).decimals()
  }
}

/** The value itself, or rounded to what is exact. */
function plain(value: unknown, rounded: DigitCount, decimalsMax: number): string {
  if (decimalPlaces(value) >= 0) return value as string
  const text = roundedDecimal(value, decimalsMax)
  if (text === null) throw noDecimal(value)
  rounded.count(ROUNDED)
  return text
}

function noDecimal(value: unknown): UserError {
  // As in empty cells, NaN or null, and missing fields.
  if (value === null || value === undefined)
    return new NumberFlaw('lacks a number that it needs', '')
  return new NumberFlaw(`has ${JSON.stringify(value)} for a decimal string`, String(value))
}
