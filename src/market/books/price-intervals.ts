/**
 * Books summed over half-open price intervals (the service's documentation, Depth rule 2), exact
 * for any width.
 */
import { raw } from '../../decimal/quantity.ts'
import { bigintText } from '../formatting/decimal-text.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import type { Book, PriceLevel } from './book.ts'

type Decimals = Pick<InstrumentRow, 'pxDecimals' | 'szDecimals'>
/** [startPrice, endPrice, totalQuantity] */
export type PriceInterval = [string, string, string]

/**
 * All levels of a book in intervals [start, end) on the multiples of `width`, a number > 0 taken at
 * its shortest decimal form. Bids fall, asks rise.
 */
export function priceIntervals(book: Book, decimals: Decimals, width: number) {
  const grid = intervalGrid(width, decimals.pxDecimals)
  return {
    bids: sideIntervals(book.bids, decimals, grid),
    asks: sideIntervals(book.asks, decimals, grid),
  }
}

interface IntervalGrid {
  /** Width in units of 10^-scale. */
  step: bigint
  scale: number
  /** Price unit in units of 10^-scale. */
  unit: bigint
}

function intervalGrid(width: number, pxDecimals: number): IntervalGrid {
  const [mantissa = '', exponent = '0'] = String(width).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const scale = Math.max(decimals, pxDecimals)
  return {
    step: BigInt(whole + fraction) * 10n ** BigInt(scale - decimals),
    scale,
    unit: 10n ** BigInt(scale - pxDecimals),
  }
}

function sideIntervals(
  side: readonly PriceLevel[],
  { szDecimals }: Decimals,
  grid: IntervalGrid,
): PriceInterval[] {
  const sums: { place: bigint; sz: bigint }[] = []
  for (const { px, sz } of side) {
    const place = (BigInt(raw(px)) * grid.unit) / grid.step
    const last = sums.at(-1)
    if (last?.place === place) last.sz += BigInt(raw(sz))
    else sums.push({ place, sz: BigInt(raw(sz)) })
  }
  return sums.map(({ place, sz }) => [
    bigintText(place * grid.step, grid.scale),
    bigintText((place + 1n) * grid.step, grid.scale),
    bigintText(sz, szDecimals),
  ])
}
