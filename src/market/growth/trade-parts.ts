import { absolute, lesser, type Sz, subtract, sum, ZERO } from '../../decimal/quantity.ts'
import type { Holding, MarketState } from '../casting/market/market-state.ts'
import type { TradePrint } from '../casting/matching/taker-order.ts'
import type { RowNumbers } from '../casting/row-numbers.ts'
import { tradeNumber } from './trade-number.ts'

/** Trades of one order, at one instant. */
export interface TradedOrder {
  market: MarketState
  timeMs: number
  side: 'B' | 'A'
  prints: readonly TradePrint[]
}

/** What of a position an order of this side makes smaller. */
export function reducible(holding: Holding, side: 'B' | 'A'): Sz {
  return holding.sz !== ZERO && holding.sz > ZERO === (side === 'A') ? absolute(holding.sz) : ZERO
}

/** The size of all of them. */
export const sumOf = (prints: readonly TradePrint[]): Sz => sum(prints.map(({ sz }) => sz))

/** The first prints up to a size, and what is left of them. */
export function split(
  prints: readonly TradePrint[],
  most: Sz,
  numbers: RowNumbers,
): [TradePrint[], TradePrint[]] {
  const [own, rest]: [TradePrint[], TradePrint[]] = [[], []]
  let left = most
  for (const print of prints) {
    const part = lesser(print.sz, left)
    left = subtract(left, part)
    if (part > ZERO) own.push({ px: print.px, sz: part, tid: print.tid })
    const other = subtract(print.sz, part)
    // Two trades have two numbers.
    const tid = part > ZERO ? tradeNumber(numbers.next('tid')) : print.tid
    if (other > ZERO) rest.push({ px: print.px, sz: other, tid })
  }
  return [own, rest]
}
