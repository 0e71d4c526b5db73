import { UserError } from '../../user-error.ts'
import { canonicalDecimal, decimalPlaces, isZero } from '../decimal-text.ts'

/** Reads a recording's numbers as plain decimals and remembers how many decimals each coin has. */
export class DecimalReader {
  private readonly maxDecimals = new Map<string, CoinDecimals>()
  /** The coin asked for last: rows of one come in runs. */
  private latest: CoinDecimals = { coin: '', px: 0, sz: 0 }

  /** `padded`: the source fills its numbers with zeros, so zeros at the end say nothing. */
  constructor(private readonly padded: boolean) {}

  /** A price above zero. */
  px(coin: string, value: unknown): string {
    const text = this.read(coin, 'px', value)
    if (text === '0') throw new UserError(`has a price of 0 for ${coin}`)
    return text
  }

  /** A size, or 0 for a level that is gone. */
  sz(coin: string, value: unknown): string {
    return this.read(coin, 'sz', value)
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
    const { px, sz } = this.known(coin)
    return { pxDecimals: px, szDecimals: sz }
  }

  private read(coin: string, quantity: 'px' | 'sz', value: unknown): string {
    const places = decimalPlaces(value)
    if (places < 0) throw noDecimal(value)
    const written = value as string
    const text = canonicalDecimal(written)
    const known = this.known(coin)
    const isCut = this.padded && text.length !== written.length
    const count = isCut ? decimalPlaces(text) : places
    if (count > known[quantity]) known[quantity] = count
    return text
  }

  private known(coin: string): CoinDecimals {
    if (this.latest.coin === coin) return this.latest
    let known = this.maxDecimals.get(coin)
    if (known === undefined) {
      known = { coin, px: 0, sz: 0 }
      this.maxDecimals.set(coin, known)
    }
    this.latest = known
    return known
  }
}

interface CoinDecimals {
  coin: string
  px: number
  sz: number
}

const noDecimal = (value: unknown) =>
  new UserError(`has ${JSON.stringify(value)} for a decimal string`)
