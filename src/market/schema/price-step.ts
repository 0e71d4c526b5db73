import { type Px, pow10, px, raw } from '../../decimal/quantity.ts'
import type { InstrumentRow } from './schema.ts'

type Priced = Pick<InstrumentRow, 'tick' | 'pxDecimals'>

/** Tick size near a price, in price units. */
export function priceStep({ tick, pxDecimals }: Priced, units: number): number {
  // The venue allows five significant figures and whole numbers; the tape's grid may be wider.
  const figures = pow10(Math.max(0, Math.floor(Math.log10(Math.max(units, 1))) - 4))
  return Math.max(raw(tick), Math.min(figures, pow10(pxDecimals)))
}

/** The valid price of the tape's instrument nearest to a number of price units. */
export function nearestPrice(of: Priced, units: number): Px {
  const step = priceStep(of, units)
  return px(Math.max(step, Math.round(units / step) * step))
}

/** `nearestPrice` for successive prices near each other. */
export function nearestPrices(of: Priced): (units: number) => Px {
  let [low, high, step] = [0, 0, 0]
  return (units) => {
    if (!(units >= low && units < high)) {
      // A step applies to all prices of as many digits.
      low = 10 ** Math.floor(Math.log10(Math.max(units, 1)))
      high = low * 10
      step = priceStep(of, low)
      if (low === 1) low = 0
    }
    return px(Math.max(step, Math.round(units / step) * step))
  }
}
