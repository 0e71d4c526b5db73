/**
 * How numbers are written.
 *
 * Shapes of the venue keep one decimal ("2200.0", "0.0") and are written with
 * `pxText`, `szText` and `usdText` of src/market/schema/schema.ts, keep = 1.
 * Records of the service (Fill,
 * Order, Ticker, TopTrade, depth) are cut to the last digit that is not zero: keep = 0.
 */

/** Decimals that the venue keeps at least. */
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
