import { expect, test } from 'bun:test'
import { tapeMs } from '../../clock/instant.ts'
import { px, raw, sz } from '../../decimal/quantity.ts'
import { bookOf, type LevelRow, type PriceLevel } from '../books/book.ts'
import { derivedBook } from './derived-books.ts'
import { EXCHANGES } from './exchanges.ts'

const DOLLAR = 10
const BEST = 96_000 * DOLLAR
const ONE_COIN = 100_000
const NEAR = 40
const FAR = 60

/** One coin at each of the best dollars, and as much at every hundredth dollar far away. */
function levels(way: 1 | -1): LevelRow[] {
  const dollars = Array.from({ length: NEAR + FAR }, (_, place) =>
    place < NEAR ? place : NEAR + (place - NEAR + 1) * 100,
  )
  const best = way > 0 ? BEST + DOLLAR : BEST
  return dollars.map((dollar) => [px(best + way * dollar * DOLLAR), sz(ONE_COIN), 1])
}

test('another exchange is as deep near its best price as the own venue is, at its share', () => {
  const own = bookOf(tapeMs(1), levels(-1), levels(1))
  for (const exchange of EXCHANGES)
    for (const salt of [1, 2, 3]) {
      const view = { exchange, basis: 0, ownPx: px(BEST), salt, timeMs: tapeMs(1) }
      const { bids, asks } = derivedBook(own, { firstPx: px(BEST) }, view)
      for (const side of [bids, asks]) {
        const share = coinsWithin(side, NEAR) / NEAR / (exchange.depth / 100)
        expect(share).toBeGreaterThan(0.5)
        expect(share).toBeLessThan(2)
      }
    }
})

function coinsWithin(side: readonly PriceLevel[], dollars: number): number {
  const best = raw((side[0] as PriceLevel).px)
  let units = 0
  for (const level of side)
    if (Math.abs(raw(level.px) - best) < dollars * DOLLAR) units += raw(level.sz)
  return units / ONE_COIN
}
