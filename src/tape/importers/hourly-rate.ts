import { decimalText, scaled } from './contract-size.ts'

/** Decimals that a rate keeps: finer than any exchange publishes. */
const DECIMALS = 12

/** A funding rate for some hours as one for an hour, what is finer than 12 decimals cut off. */
export function hourlyRate(rate: string, hours: number): string {
  if (hours === 1) return rate
  const minus = rate.startsWith('-') ? '-' : ''
  const { units, decimals } = scaled(rate.slice(minus.length))
  const shifted = units * 10n ** BigInt(DECIMALS)
  const each = decimalText(shifted / (BigInt(hours) * 10n ** BigInt(decimals)), DECIMALS)
  return each === '0' ? each : `${minus}${each}`
}
