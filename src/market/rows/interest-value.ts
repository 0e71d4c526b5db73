import { type Px, raw, type Sz } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import { roundOff } from '../formatting/decimal-text.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'

/** What open interest is worth in micro-dollars, however much: that of a coin outgrows numbers. */
export function interestValue({ pxDecimals, szDecimals }: InstrumentRow, sz: Sz, px: Px): bigint {
  const product = BigInt(raw(sz)) * BigInt(raw(px))
  const surplus = pxDecimals + szDecimals - MONEY_DECIMALS
  return surplus < 0 ? product * BigInt(pow10(-surplus)) : roundOff(product, surplus)
}
