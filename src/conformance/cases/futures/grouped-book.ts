/** What a grouped book says of the book that it was made from. */
import type { JsonObject } from '../../parsed-json.ts'
import { isClose, isIncreasing } from '../../value-checks.ts'

type Level = readonly string[]

export interface Sides {
  row: JsonObject
  bids: Level[]
  asks: Level[]
}

/** Prices of levels, or where intervals start. */
export const firsts = (levels: readonly Level[]): number[] => levels.map(([price]) => Number(price))

/** What is wrong with the intervals of a grouped book, whatever it was made from. */
export function groupedFormFlaw(grouped: Sides, groupSize: number): string | null {
  for (const side of SIDES) {
    const starts = firsts(grouped[side])
    if (!isIncreasing(side === 'asks' ? starts : [...starts].reverse()))
      return `the intervals of ${side} are in order`
    for (const level of grouped[side]) {
      const [start = 0, end = 0] = level.map(Number)
      if (level.length !== 3) return 'a level is start, end and total'
      if (!isClose(end - start, groupSize, 1e-9, 1e-9)) return 'an interval is groupSize wide'
    }
  }
  return null
}

/**
 * Where the sums of a grouped book differ from the books before and after it. On a market that
 * moves only those intervals can be judged in which nothing has changed; `judged` counts them.
 */
export function groupedSumFlaw(
  before: Sides,
  grouped: Sides,
  after: Sides,
): { judged: number; flaw: string | null } {
  let judged = 0
  for (const side of SIDES) {
    const isStill = JSON.stringify(before[side]) === JSON.stringify(after[side])
    for (const [start, end, total] of grouped[side]) {
      const [levels, later] = [before, after].map((book) =>
        book[side].filter(([px]) => Number(px) >= Number(start) && Number(px) < Number(end)),
      ) as [Level[], Level[]]
      if (JSON.stringify(levels) !== JSON.stringify(later)) continue
      // The price may have passed by between two answers in which nothing is there.
      if (levels.length === 0 && !isStill) continue
      judged++
      const sum = levels.reduce((all, [, size]) => all + Number(size), 0)
      if (!isClose(sum, total, 1e-9, 1e-9))
        return { judged, flaw: `[${start}, ${end}) of ${side} sums to ${sum}` }
    }
    const lost = stillPrices(before[side], after[side]).find(
      (price) =>
        !grouped[side].some(([start, end]) => price >= Number(start) && price < Number(end)),
    )
    if (lost !== undefined) return { judged, flaw: `an interval of ${side} holds ${lost}` }
  }
  return { judged, flaw: null }
}

const SIDES = ['bids', 'asks'] as const

/** Prices of levels that did not change. */
function stillPrices(before: readonly Level[], after: readonly Level[]): number[] {
  const sizes = new Map(after.map(([price, size]) => [price, size]))
  return firsts(before.filter(([price, size]) => sizes.get(price ?? '') === size))
}
