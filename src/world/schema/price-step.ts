import { type Px, px, raw } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import type { InstrumentRow } from '../schema.ts'

type Priced = Pick<InstrumentRow, 'tick' | 'pxDecimals'>

/** Smallest step between prices near so many price units, in price units. */
export function priceStep({ tick, pxDecimals }: Priced, units: number): number {
  // The venue allows five significant figures and whole numbers; the tape's grid may be wider.
  const figures = pow10(Math.max(0, Math.floor(Math.log10(Math.max(units, 1))) - 4))
  return Math.max(raw(tick), Math.min(figures, pow10(pxDecimals)))
}

/** The price nearest to so many price units that the tape could have named. */
export function nearestPrice(of: Priced, units: number): Px {
  const step = priceStep(of, units)
  return px(Math.max(step, Math.round(units / step) * step))
}
