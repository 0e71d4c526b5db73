/** Price steps by which levels of the book can be grouped. */
import { numberText } from '../../shell/formats.ts'

/** Significant digits of a price, from the finest levels to the coarsest. */
const ROUNDINGS = ['5', '4', '3'] as const

export type Rounding = (typeof ROUNDINGS)[number]

/** A step, coarser than that of the levels themselves. */
export interface BookStep {
  digits: Rounding
  text: string
}

/**
 * The steps at a price with so many decimals. A venue's prices have five significant digits or are
 * whole, so five are a step of their own from 100,000 on only.
 */
export function bookSteps(price: number, decimals: number): BookStep[] {
  if (!(price > 0)) return []
  return ROUNDINGS.flatMap((digits) => {
    const exponent = Math.floor(Math.log10(price)) + 1 - Number(digits)
    const isCoarser = exponent > -decimals
    return isCoarser ? { digits, text: numberText(10 ** exponent, Math.max(0, -exponent)) } : []
  })
}
