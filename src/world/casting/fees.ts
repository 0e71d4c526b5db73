import { type FeeRate, feeRate, portion, raw, type Usd, ZERO } from '../../decimal/quantity.ts'
import { FEE_DECIMALS } from '../schema.ts'
import type { Market } from './market.ts'

/** Fee rates are those of the main dex; builder dexes take twice, spot three fifths more. */
const SURCHARGE = { dex: 2, spot: 1.6 }
const UNIT = feeRate(10 ** FEE_DECIMALS)

/** Fee of a fill; negative for a rebate. */
export function feeOf(notional: Usd, market: Market, rate: FeeRate): Usd {
  const more = !market.perp ? SURCHARGE.spot : market.row.dex === '' ? 1 : SURCHARGE.dex
  return part(notional, rate > ZERO ? feeRate(Math.round(raw(rate) * more)) : rate)
}

/** A notional at a fee rate. */
export function part(notional: Usd, rate: FeeRate): Usd {
  return portion(notional, rate, UNIT)
}
