import { raw } from '../../../../decimal/quantity.ts'
import { format } from '../../../../decimal/scaled.ts'
import type { Book, PriceLevel } from '../../../books/book.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'

/** Dollars of a market order whose average price is the impact price. */
const IMPACT_USD = { major: 20_000, other: 6_000 }
const MAJOR = ['BTC', 'ETH']

/** Average prices of a sale and a purchase of the impact notional; null for a thinner book. */
export function impactPrices(book: Book, of: InstrumentRow): [string, string] | null {
  const usd = IMPACT_USD[MAJOR.includes(of.base) ? 'major' : 'other']
  const [bid, ask] = [averagePx(book.bids, usd, of), averagePx(book.asks, usd, of)]
  return bid === null || ask === null ? null : [bid, ask]
}

/** Rounded once, at one more decimal than prices have. */
function averagePx(side: readonly PriceLevel[], usd: number, of: InstrumentRow): string | null {
  const scale = of.pxDecimals + of.szDecimals
  const target = BigInt(usd) * 10n ** BigInt(scale)
  let [spent, size] = [0n, 0n]
  for (const { px, sz } of side) {
    const value = BigInt(raw(px)) * BigInt(raw(sz))
    const left = target - spent
    if (value < left) {
      spent += value
      size += BigInt(raw(sz))
      continue
    }
    // The last level is taken in part: the size is `size + left / px`, its price exact until here.
    const last = BigInt(raw(px))
    const [over, under] = [target * last * 10n, size * last + left]
    const px10 = (2n * over + under) / (2n * under)
    return format(Number(px10), of.pxDecimals + 1, NATIVE_DECIMALS)
  }
  return null
}
