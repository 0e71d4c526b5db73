/** Books as the venue shows them: 20 levels a side, rounded to significant figures when asked. */

import type { BookLevel } from '../../contract/records/book-level.ts'
import { add, type Px, px, raw, type Sz, ZERO } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import { type InstrumentRow, pxText, szText } from '../schema/schema.ts'
import { type Book, type LevelTexts, type PriceLevel, priceLevel } from './book.ts'

type Decimals = Pick<InstrumentRow, 'pxDecimals' | 'szDecimals'>

/** How prices are rounded: 2 to 5 figures, with 5 also in steps of 2 or 5 of the last. */
export interface Rounding {
  figures: number
  /** 1, 2 or 5. */
  mantissa: number
}

/**
 * At most 20 levels a side of the whole book, as text. Bids are rounded down and asks up, so nobody
 * is shown a better price than there is; sizes and order counts are summed.
 */
export function roundedLevels(
  book: Book,
  decimals: Decimals,
  rounding: Rounding | null,
): LevelTexts {
  const key = rounding === null ? 0 : rounding.figures * 10 + rounding.mantissa
  const known = book.roundedCache.get(key)
  if (known) return known
  const { bids, asks } = rounding === null ? book : roundedBook(book, rounding, SHOWN_LEVELS)
  const texts = (side: readonly PriceLevel[]) =>
    side.slice(0, SHOWN_LEVELS).map((one) => levelText(one, decimals))
  const levels: LevelTexts = [texts(bids), texts(asks)]
  book.roundedCache.set(key, levels)
  return levels
}

/** Levels that the venue shows on a side. */
export const SHOWN_LEVELS = 20

/** The book with rounded prices; at most `most` levels a side. */
export function roundedBook(book: Book, rounding: Rounding, most = Number.POSITIVE_INFINITY) {
  return {
    bids: mergeLevels(book.bids, most, rounding, 'down'),
    asks: mergeLevels(book.asks, most, rounding, 'up'),
  }
}

/** Of whole numbers that are exact. */
const DIGITS_MAX = 16

/** One step of the last figure that is kept, in price units. */
export function figureStep(price: Px, { figures, mantissa }: Rounding): number {
  let digits = 1
  while (digits < DIGITS_MAX && raw(price) >= pow10(digits)) digits++
  const surplus = digits - figures
  return surplus < 0 ? 1 : mantissa * pow10(surplus)
}

/** The text form of a level; each level is written once, however many books hold it. */
export function levelText(one: PriceLevel, decimals: Decimals): BookLevel {
  one.text ??= { px: pxText(decimals, one.px, 1), sz: szText(decimals, one.sz, 1), n: one.n }
  return one.text
}

/**
 * Neighbours with the same rounded price become one level. Prices are rounded outward, away from
 * the other side, so one that is not beyond a rounded price belongs to it.
 */
function mergeLevels(
  side: readonly PriceLevel[],
  most: number,
  rounding: Rounding,
  way: 'up' | 'down',
): PriceLevel[] {
  const levels: PriceLevel[] = []
  for (let at = 0; at < side.length && levels.length < most; ) {
    const first = side[at] as PriceLevel
    const step = figureStep(first.px, rounding)
    const steps = raw(first.px) / step
    const price = px((way === 'down' ? Math.floor(steps) : Math.ceil(steps)) * step)
    let size = ZERO as Sz
    let n = 0
    for (; at < side.length; at++) {
      const one = side[at] as PriceLevel
      if (way === 'down' ? one.px < price : one.px > price) break
      size = add(size, one.sz)
      n += one.n
    }
    if (size > ZERO) levels.push(priceLevel([price, size, n]))
  }
  return levels
}
