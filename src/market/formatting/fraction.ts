import { bigintText } from './decimal-text.ts'

/** Decimals of a ratio. */
const DECIMALS = 6

/** part / whole as a decimal, neither negative, rounded half up once; "0" of nothing. */
export function fractionText(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0'
  return bigintText((2n * part * 10n ** BigInt(DECIMALS) + whole) / (2n * whole), DECIMALS)
}
