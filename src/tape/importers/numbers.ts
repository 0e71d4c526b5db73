import { Complaint } from '../../complaint.ts'
import { isZero, places, plain } from '../decimal-text.ts'

/** Reads a recording's numbers as plain decimals and remembers how many decimals each coin has. */
export class Numbers {
  private readonly most = new Map<string, { px: number; sz: number }>()

  /** `padded`: the source fills its numbers with zeros, so zeros at the end tell nothing. */
  constructor(private readonly padded: boolean) {}

  /** A price above zero. */
  px(coin: string, value: unknown): string {
    const text = this.decimal(value)
    if (text === '0') throw new Complaint(`has a price of 0 for ${coin}`)
    this.see(coin, 'px', value as string, text)
    return text
  }

  /** A size, or 0 for a level that is gone. */
  sz(coin: string, value: unknown): string {
    const text = this.decimal(value)
    this.see(coin, 'sz', value as string, text)
    return text
  }

  /** A price, rate or amount whose decimals tell nothing about the coin's. */
  decimal(value: unknown, signed = false): string {
    const minus = signed && typeof value === 'string' && value.startsWith('-')
    const text = minus ? (value as string).slice(1) : value
    if (places(text) < 0) throw new Complaint(`has ${JSON.stringify(value)} for a decimal string`)
    const bare = plain(text as string)
    return minus && !isZero(bare) ? `-${bare}` : bare
  }

  /** Most decimals seen of a coin's prices and sizes. */
  decimals(coin: string): { pxDecimals: number; szDecimals: number } {
    const { px, sz } = this.most.get(coin) ?? { px: 0, sz: 0 }
    return { pxDecimals: px, szDecimals: sz }
  }

  private see(coin: string, which: 'px' | 'sz', written: string, bare: string): void {
    const found = places(this.padded ? bare : written)
    const known = this.most.get(coin) ?? { px: 0, sz: 0 }
    if (found > known[which]) known[which] = found
    this.most.set(coin, known)
  }
}
