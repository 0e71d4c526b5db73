import { type FeeRate, feeRate, portion, raw, type Usd, ZERO } from '../../decimal/quantity.ts'
import { FEE_DECIMALS, type InstrumentRow } from '../schema/schema.ts'

/** Fee rates are those of the main dex; builder dexes take twice, spot three fifths more. */
const FEE_MULTIPLES = { dex: 2, spot: 1.6 }
const UNIT = feeRate(10 ** FEE_DECIMALS)

type Charged = Pick<InstrumentRow, 'kind' | 'dex'>

/** Fee of a fill; negative for a rebate. */
export function feeOf(notional: Usd, of: Charged, rate: FeeRate): Usd {
  return rateShare(notional, rateOn(of, rate))
}

/** The rate that an account pays on an instrument, by its rate on the main dex. */
export function rateOn({ kind, dex }: Charged, rate: FeeRate): FeeRate {
  const more = kind === 'spot' ? FEE_MULTIPLES.spot : dex === '' ? 1 : FEE_MULTIPLES.dex
  return rate > ZERO ? feeRate(Math.round(raw(rate) * more)) : rate
}

/** A notional at a fee rate. */
export function rateShare(notional: Usd, rate: FeeRate): Usd {
  return portion(notional, rate, UNIT)
}
