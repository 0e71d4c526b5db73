import { UserError } from '../../user-error.ts'
import { canonicalDecimal, decimalPlaces, isZero } from '../decimal-text.ts'

/** Reads a recording's numbers as plain decimals and remembers how many decimals each coin has. */
export class DecimalReader {
  private readonly maxDecimals = new Map<string, { px: number; sz: number }>()

  /** `padded`: the source fills its numbers with zeros, so zeros at the end say nothing. */
  constructor(private readonly padded: boolean) {}

  /** A price above zero. */
  px(coin: string, value: unknown): string {
    const text = this.decimal(value)
    if (text === '0') throw new UserError(`has a price of 0 for ${coin}`)
    this.observe(coin, 'px', value as string, text)
    return text
  }

  /** A size, or 0 for a level that is gone. */
  sz(coin: string, value: unknown): string {
    const text = this.decimal(value)
    this.observe(coin, 'sz', value as string, text)
    return text
  }

  /** A price, rate or amount whose decimals say nothing about the coin's. */
  decimal(value: unknown, signed = false): string {
    const minus = signed && typeof value === 'string' && value.startsWith('-')
    const text = minus ? (value as string).slice(1) : value
    if (decimalPlaces(text) < 0)
      throw new UserError(`has ${JSON.stringify(value)} for a decimal string`)
    const canonical = canonicalDecimal(text as string)
    return minus && !isZero(canonical) ? `-${canonical}` : canonical
  }

  /** Most decimals seen of a coin's prices and sizes. */
  decimals(coin: string): { pxDecimals: number; szDecimals: number } {
    const { px, sz } = this.maxDecimals.get(coin) ?? { px: 0, sz: 0 }
    return { pxDecimals: px, szDecimals: sz }
  }

  private observe(coin: string, quantity: 'px' | 'sz', written: string, canonical: string): void {
    const count = decimalPlaces(this.padded ? canonical : written)
    const known = this.maxDecimals.get(coin) ?? { px: 0, sz: 0 }
    if (count > known[quantity]) known[quantity] = count
    this.maxDecimals.set(coin, known)
  }
}
