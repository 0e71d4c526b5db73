/** How exactly prices of a size are written. */
import { numberText } from '../../shell/formats.ts'

/** Five digits that count, as the venue has them. */
export const priceDecimals = (price: number): number =>
  price > 0 ? Math.min(8, Math.max(0, 4 - Math.floor(Math.log10(price)))) : 2

/** The same for a chart. */
export function precisionOf(price: number) {
  const precision = priceDecimals(price)
  const formatter = (shown: number) => numberText(shown, precision)
  return { type: 'custom' as const, formatter, minMove: 10 ** -precision }
}

/** The next of 1, 2, 5, 10, 20, … from a length up: what people count prices in. */
export function roundStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((one) => one * decade >= least) ?? 10) * decade
}
