/** How exactly prices of a size are written. */

/** Five digits that count, as the venue has them. */
export const priceDecimals = (price: number): number =>
  price > 0 ? Math.min(8, Math.max(0, 4 - Math.floor(Math.log10(price)))) : 2

/** The same for a chart. */
export function precisionOf(price: number) {
  const precision = priceDecimals(price)
  return { type: 'price' as const, precision, minMove: 10 ** -precision }
}
