import type { CoinRecord } from './coin-record.ts'
import { priceGrid } from './price-grid.ts'

/** Prices that are needed to tell a coarser step from chance. */
const PRICES_LEAST = 40

/**
 * The step between an instrument's prices, in units; undefined where they are those of the venue's
 * five figures.
 */
export function tickUnitsOf({ instrument, trades, books }: CoinRecord): number | undefined {
  const { tickAt, unitsAt } = priceGrid({ pxDecimals: instrument.pxDecimals })
  const prices = new Set(trades.map(({ px }) => px))
  for (const { bids, asks } of books) for (const { px } of [...bids, ...asks]) prices.add(px)
  let [step, fits] = [0, true]
  for (const px of prices) {
    step = greatestDivisor(step, px)
    fits &&= Number.isInteger(tickAt(px))
  }
  const [first = 0] = prices
  const fine = unitsAt(Math.floor(tickAt(first)) + 1) - unitsAt(Math.floor(tickAt(first)))
  const isCoarser = prices.size >= PRICES_LEAST && step > fine
  return fits && !isCoarser ? undefined : Math.max(1, step)
}

function greatestDivisor(a: number, b: number): number {
  let [one, other] = [a, b]
  while (other > 0) [one, other] = [other, one % other]
  return one
}
