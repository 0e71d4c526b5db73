/** Cells of an estimated-liquidation map: equal intervals of price with sums. */
import type { LiquidationCell } from '../../contract/records/futures-history.ts'
import { format, type Px, pow10, px, raw } from '../../decimal/quantity.ts'
import { type InstrumentRow, pxText } from '../schema/schema.ts'

/** Approximate number of cells from 0 to the tape's first price. */
const CELL_COUNT = 100

interface CellFormat {
  /** Value shown for a sum; the sum itself when left out. */
  shown?: (sum: number) => number
  /** Decimal text, or numbers. */
  isText: boolean
  /** Decimals of the sums. */
  decimals?: number
}

/** Sorts prices into cells and writes the cells; `bin` counts them from 0. */
export function priceCells(
  of: InstrumentRow,
  { shown = (sum) => sum, isText, decimals = 2 }: CellFormat,
) {
  const width = cellWidth(of.firstPx ?? px(1))
  const texts = new Map<number, string>()
  const text = (bin: number) => {
    const known = texts.get(bin) ?? pxText(of, px(bin * width))
    texts.set(bin, known)
    return known
  }
  return {
    bin: (price: Px) => Math.floor(raw(price) / width),
    /** Ascending by price; `sums` holds cents (or what `decimals` says) by bin. */
    cells: (sums: ReadonlyMap<number, number>): LiquidationCell[] =>
      [...sums.entries()]
        .sort(([a], [b]) => a - b)
        .map(([bin, sum]) => {
          const turnover = format(shown(sum), decimals)
          const cell: [string, string, string] = [text(bin), text(bin + 1), turnover]
          return isText ? cell : (cell.map(Number) as [number, number, number])
        }),
  }
}

/** 1, 2 or 5 times a power of ten, price units. It follows the first price, so it never changes. */
function cellWidth(firstPx: Px): number {
  const about = Math.max(1, raw(firstPx) / CELL_COUNT)
  const unit = pow10(Math.floor(Math.log10(about)))
  const step = [5, 2, 1].find((one) => one * unit <= about) ?? 1
  return step * unit
}
