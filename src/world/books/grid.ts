/** Books summed over half-open price intervals (spec, Depth rule 2), exact for any width. */
import { raw } from '../../decimal/quantity.ts'
import { wideText } from '../queries/wording.ts'
import type { InstrumentRow } from '../schema.ts'
import type { Book, Rung } from './book.ts'

type Decimals = Pick<InstrumentRow, 'pxDecimals' | 'szDecimals'>
/** [startPrice, endPrice, totalQuantity] */
export type Bin = [string, string, string]

/**
 * All levels of a book in intervals [start, end) that lie on the multiples of `width`.
 * `width` is a number > 0, taken at its shortest decimal form. Bids fall, asks rise.
 */
export function binned(book: Book, decimals: Decimals, width: number) {
  const grid = gridOf(width, decimals.pxDecimals)
  return { bids: bins(book.bids, decimals, grid), asks: bins(book.asks, decimals, grid) }
}

interface Grid {
  /** Width in units of 10^-scale. */
  step: bigint
  scale: number
  /** What a price unit counts in units of 10^-scale. */
  unit: bigint
}

function gridOf(width: number, pxDecimals: number): Grid {
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

function bins(side: readonly Rung[], { szDecimals }: Decimals, grid: Grid): Bin[] {
  const sums: { place: bigint; sz: bigint }[] = []
  for (const { px, sz } of side) {
    const place = (BigInt(raw(px)) * grid.unit) / grid.step
    const last = sums.at(-1)
    if (last?.place === place) last.sz += BigInt(raw(sz))
    else sums.push({ place, sz: BigInt(raw(sz)) })
  }
  return sums.map(({ place, sz }) => [
    wideText(place * grid.step, grid.scale),
    wideText((place + 1n) * grid.step, grid.scale),
    wideText(sz, szDecimals),
  ])
}
