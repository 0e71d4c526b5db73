import {
  type FundingIndex,
  fundingIndex,
  type Px,
  type Rate,
  raw,
  type Sz,
  subtract,
  type Usd,
  usd,
} from '../../decimal/quantity.ts'
import { mulDiv, multiply, pow10, rescale } from '../../decimal/scaled.ts'
import { MONEY_DECIMALS, RATE_DECIMALS } from '../schema/schema.ts'

/** What funding needs to know of an instrument. */
export interface FundingSpec {
  pxDecimals: number
  szDecimals: number
  fundingDecimals: number
}

/** Hours for which an index of steady 0.02 % an hour stays within exact arithmetic. */
const INDEX_HOURS = 800
const STEADY_RATE = 0.0002

/**
 * Decimals at which the funding index of an instrument is kept: all digits of rate x price where
 * they fit into a safe integer over the length of a world.
 */
export function fundingDecimalsFor(px: Px, pxDecimals: number, szDecimals: number): number {
  const largest = Math.max((raw(px) / pow10(pxDecimals)) * INDEX_HOURS * STEADY_RATE, 1e-9)
  const maxDecimals = Math.floor(Math.log10(Number.MAX_SAFE_INTEGER) - Math.log10(largest))
  const digits = Math.min(
    pxDecimals + RATE_DECIMALS,
    maxDecimals,
    15,
    15 + MONEY_DECIMALS - szDecimals,
  )
  return Math.max(digits, MONEY_DECIMALS)
}

/** What one hour adds to the index: rate (10^-10) x price, at fundingDecimals. */
export function indexStep(rate: Rate, px: Px, of: FundingSpec): FundingIndex {
  const product = multiply(raw(rate), raw(px))
  return fundingIndex(rescale(product, of.pxDecimals + RATE_DECIMALS, of.fundingDecimals))
}

/**
 * What a position of signed `sz` paid while the index went from one value to another, in
 * micro-dollars: positive when it paid, negative when it received. One rounding, whatever the time.
 */
export function fundingBetween(sz: Sz, from: FundingIndex, to: FundingIndex, of: FundingSpec): Usd {
  return usd(mulDiv(raw(sz), raw(subtract(to, from)), fundingScale(of)))
}

/** What size times index is divided by to be micro-dollars. */
export function fundingScale({ szDecimals, fundingDecimals }: FundingSpec): number {
  return pow10(szDecimals + fundingDecimals - MONEY_DECIMALS)
}
