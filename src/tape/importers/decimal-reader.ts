import { UserError } from '../../platform/user-error.ts'
import { canonicalDecimal, decimalPlaces, isZero } from '../decimal-text.ts'

/** Reads the numbers of a coin as plain decimals and remembers how many decimals they have. */
export class CoinDecimals {
  private pxDecimals = 0
  private szDecimals = 0

  constructor(
    private readonly coin: string,
    private readonly padded: boolean,
  ) {}

  /** A price above zero. */
  px(value: unknown): string {
    const places = placesOf(value)
    const text = canonicalDecimal(value as string)
    this.pxDecimals = Math.max(this.pxDecimals, this.told(value as string, places, text))
    if (text === '0') throw new UserError(`has a price of 0 for ${this.coin}`)
    return text
  }

  /** A size, or 0 for a level that is gone. */
  sz(value: unknown): string {
    const places = placesOf(value)
    const text = canonicalDecimal(value as string)
    this.szDecimals = Math.max(this.szDecimals, this.told(value as string, places, text))
    return text
  }

  /** Most decimals seen of its prices and sizes. */
  decimals(): { pxDecimals: number; szDecimals: number } {
    const { pxDecimals, szDecimals } = this
    return { pxDecimals, szDecimals }
  }

  /** How many of the decimals that are written say something. */
  private told(written: string, places: number, text: string): number {
    return this.padded && text.length !== written.length ? decimalPlaces(text) : places
  }
}

/** Reads a recording's numbers as plain decimals and remembers how many decimals each coin has. */
export class DecimalReader {
  private readonly coins = new Map<string, CoinDecimals>()

  /** `padded`: the source fills its numbers with zeros, so zeros at the end say nothing. */
  constructor(private readonly padded: boolean) {}

  /** That of one coin, for who reads many of its numbers. */
  of(coin: string): CoinDecimals {
    let known = this.coins.get(coin)
    if (known === undefined) {
      known = new CoinDecimals(coin, this.padded)
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
    const text = minus ? (value as string).slice(1) : value
    if (decimalPlaces(text) < 0) throw noDecimal(value)
    const canonical = canonicalDecimal(text as string)
    return minus && !isZero(canonical) ? `-${canonical}` : canonical
  }

  /** Most decimals seen of a coin's prices and sizes. */
  decimals(coin: string): { pxDecimals: number; szDecimals: number } {
    return this.of(coin).decimals()
  }
}

function placesOf(value: unknown): number {
  const places = decimalPlaces(value)
  if (places < 0) throw noDecimal(value)
  return places
}

function noDecimal(value: unknown): UserError {
  // As cells that are empty, NaN or null, and fields that are not there.
  if (value === null || value === undefined) return new UserError('lacks a number that it needs')
  return new UserError(`has ${JSON.stringify(value)} for a decimal string`)
}
