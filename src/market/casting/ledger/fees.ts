import { type FeeRate, feeRate, portion, raw, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { FEE_DECIMALS } from '../../schema/schema.ts'
import type { MarketState } from '../market/market-state.ts'

/** Fee rates are those of the main dex; builder dexes take twice, spot three fifths more. */
const FEE_MULTIPLES = { dex: 2, spot: 1.6 }
const UNIT = feeRate(10 ** FEE_DECIMALS)

/** Fee of a fill; negative for a rebate. */
export function feeOf(notional: Usd, market: MarketState, rate: FeeRate): Usd {
  const more = !market.isPerp ? FEE_MULTIPLES.spot : market.row.dex === '' ? 1 : FEE_MULTIPLES.dex
  return rateShare(notional, rate > ZERO ? feeRate(Math.round(raw(rate) * more)) : rate)
}

/** A notional at a fee rate. */
export function rateShare(notional: Usd, rate: FeeRate): Usd {
  return portion(notional, rate, UNIT)
}
