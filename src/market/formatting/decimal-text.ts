import type { Sz, Usd } from '../../decimal/quantity.ts'
import { format } from '../../decimal/quantity.ts'
import { entryPx } from '../accounting/position.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'

/**
 * Formats numbers.
 *
 * Shapes of the venue keep one decimal ("2200.0", "0.0") and are written with `pxText`, `szText`
 * and `usdText` of src/market/schema/schema.ts, keep = 1. Records of the service (Fill, Order,
 * Ticker, TopTrade, depth) are cut to the last digit that is not zero: keep = 0.
 */

/** Minimum number of decimals on the venue. */
export const NATIVE_DECIMALS = 1

/** A whole number of units of 10^-scale, however large, as a decimal string. */
export function bigintText(value: bigint, scale: number, keep = 0): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const cut = digits.slice(digits.length - scale).replace(/0+$/, '')
  const fraction = cut.padEnd(keep, '0')
  const sign = value < 0n ? '-' : ''
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/** value / 10^digits, rounded half away from zero. */
export function roundOff(value: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(digits)
  const half = value < 0n ? -unit / 2n : unit / 2n
  return (value + half) / unit
}

/** Decimals of a ratio. */
const DECIMALS = 6

/** part / whole as a decimal, neither negative, rounded half up once; "0" of nothing. */
export function fractionText(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0'
  return bigintText((2n * part * 10n ** BigInt(DECIMALS) + whole) / (2n * whole), DECIMALS)
}

/** notional / size, with one decimal more than prices have: an average lies between ticks. */
export function averageText(of: InstrumentRow, sz: Sz, notional: Usd): string {
  const decimals = of.pxDecimals + 1
  return format(entryPx({ sz, cost: notional }, of.szDecimals, MONEY_DECIMALS, decimals), decimals)
}

/** Tenths of a yuan to the dollar. A fixed rate: no tape has one. */
export const CNY_TENTHS = 71n
