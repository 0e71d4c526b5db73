import { UserError } from '../../platform/user-error.ts'
import {
  canonicalDecimal,
  DIGITS_MAX,
  decimalPlaces,
  isZero,
  roundedDecimal,
} from '../decimal-text.ts'

/** A number that cannot be read; `written` is what stands there, where something does. */
export class NumberFlaw extends UserError {
  constructor(
    message: string,
    readonly written: string,
  ) {
    super(message)
  }
}

/** Where it is counted that digits beyond the fifteenth of a number were left out. */
export interface DigitCount {
  count(what: string): void
}

/** What numbers that were rounded are counted as. */
export const ROUNDED = 'digits beyond the fifteenth of a number, which was rounded'
/** Decimals of a price or size of 1 and more: no exchange has finer steps. */
const STEP_DECIMALS = 8
/** Figures that the lowest price of a coin has at least: there is room below it then. */
const FIGURES = 4
/** Decimals that such room takes at most. */
const ROOM_DECIMALS = 12

/** Reads the numbers of a coin as plain decimals and remembers how many decimals they have. */
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
    this.pxDecimals = Math.max(this.pxDecimals, this.told(written, text))
    if (text === '0') throw new UserError(`has a price of 0 for ${this.coin}`)
    const digits = magnitude(text)
    if (digits < this.lowest) this.lowest = digits
    if (digits > this.highest) this.highest = digits
    return text
  }

  /** A size, or 0 for a level that is gone. */
  sz(value: unknown): string {
    const written = plain(value, this.rounded, STEP_DECIMALS)
    const text = canonicalDecimal(written)
    this.szDecimals = Math.max(this.szDecimals, this.told(written, text))
    return text
  }

  /**
   * Most decimals seen of its prices and sizes. Of prices more where the lowest has fewer than four
   * figures: one step of a price of 1 would be all of it.
   */
  decimals(): { pxDecimals: number; szDecimals: number } {
    const { szDecimals, lowest, highest } = this
    const room = Math.min(FIGURES - lowest, ROOM_DECIMALS, DIGITS_MAX - 1 - highest)
    return { pxDecimals: Math.max(this.pxDecimals, room), szDecimals }
  }

  /** How many of the decimals that are written say something. */
  private told(written: string, text: string): number {
    const telling = this.padded ? text : written
    const point = telling.indexOf('.')
    return point < 0 ? 0 : telling.length - point - 1
  }
}

/** Digits before the point of a price, `0.05` has -1. */
function magnitude(text: string): number {
  const point = text.indexOf('.')
  if (text.charCodeAt(0) !== ZERO) return point < 0 ? text.length : point
  let zeros = 0
  while (text.charCodeAt(point + 1 + zeros) === ZERO) zeros++
  return -zeros
}

const ZERO = 48

/** Reads a recording's numbers as plain decimals and remembers how many decimals each coin has. */
export class DecimalReader {
  private readonly coins = new Map<string, CoinDecimals>()

  /**
   * `padded`: the source fills its numbers with zeros, so zeros at the end say nothing. `rounded`
   * counts the numbers that have more digits than are exact.
   */
  constructor(
    private readonly padded: boolean,
    private readonly rounded: DigitCount,
  ) {}

  /** That of one coin, for who reads many of its numbers. */
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

  /** A size, or 0 for a level that is gone. */
  sz(coin: string, value: unknown): string {
    return this.of(coin).sz(value)
  }

  /** A price, rate or amount whose decimals say nothing about the coin's. */
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
  // As cells that are empty, NaN or null, and fields that are not there.
  if (value === null || value === undefined)
    return new NumberFlaw('lacks a number that it needs', '')
  return new NumberFlaw(`has ${JSON.stringify(value)} for a decimal string`, String(value))
}
