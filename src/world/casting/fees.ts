import { share } from '../../decimal/scaled.ts'
import { FEE_DECIMALS } from '../schema.ts'
import type { Market } from './market.ts'

/** Fee rates are those of the main dex; builder dexes take twice, spot three fifths more. */
const SURCHARGE = { dex: 2, spot: 1.6 }
const UNIT = 10 ** FEE_DECIMALS

/** Fee of a fill, micro-dollars; negative for a rebate. */
export function feeOf(notional: number, market: Market, rate: number): number {
  const more = !market.perp ? SURCHARGE.spot : market.row.dex === '' ? 1 : SURCHARGE.dex
  return part(notional, rate > 0 ? Math.round(rate * more) : rate)
}

/** So many millionths of a notional. */
export function part(notional: number, rate: number): number {
  return share(notional, rate, UNIT)
}
