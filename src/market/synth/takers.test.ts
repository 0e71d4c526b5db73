import { expect, test } from 'bun:test'
import { calibrate } from './calibration.ts'
import { CALM } from './market-conditions.ts'
import { emptyBook, SynthBook } from './order-matching.ts'
import type { MakerView } from './quoting.ts'
import { newTakers, Takers } from './takers.ts'

const BTC = calibrate({
  instrument: { coin: 'BTC', kind: 'perp', pxDecimals: 1, szDecimals: 5 },
  fromMs: 0,
  toMs: 60_000,
  trades: [],
  books: [],
  bookUpdates: 0,
  marks: [],
  openInterestLots: null,
  premium: null,
  lastPx: 1_000_000,
  usual: { usdPerS: 15_000 },
})
const LOT_USD = 1
const VIEW: MakerView = {
  fair: 10_000,
  width: 1,
  spread: 1,
  depth: 1,
  pace: 1,
  surplus: 1,
  requotes: true,
  lotUsd: LOT_USD,
}

/** A book with levels of so many dollars on each side. */
function bookOf(levelUsd: number): SynthBook {
  const book = new SynthBook(emptyBook())
  for (let distance = 1; distance <= 40; distance++) {
    book.put('bids', { tick: 10_000 - distance, lots: levelUsd / LOT_USD, orders: 1 })
    book.put('asks', { tick: 10_000 + distance, lots: levelUsd / LOT_USD, orders: 1 })
  }
  return book
}

/** Dollars of so many orders from books of one depth, and what is left unfilled. */
function tradedIn(levelUsd: number, orders: number, state = newTakers('takers', BTC)) {
  const [takers, book] = [new Takers(BTC, state), bookOf(levelUsd)]
  let usd = 0
  for (let nth = 0; nth < orders; nth++) usd += takers.order(book, VIEW, 0, CALM).lots * LOT_USD
  return { usd, state, unfilled: state.unfilled.bids + state.unfilled.asks }
}

test('orders are of the mean that the profile wants, few of them large', () => {
  const { usd, unfilled } = tradedIn(1e9, 20_000)
  expect(usd / 20_000 / BTC.orderUsd).toBeWithin(2.6, 3.8)
  expect(unfilled).toBeLessThan(BTC.orderUsd)
  const [takers, book] = [new Takers(BTC, newTakers('sizes', BTC)), bookOf(1e9)]
  const sizes = Array.from({ length: 20_000 }, () => takers.order(book, VIEW, 0, CALM).lots).sort(
    (a, b) => a - b,
  )
  const median = sizes[10_000] as number
  expect(sizes[19_800] as number).toBeGreaterThan(120 * median)
  const largest = sizes.slice(19_800).reduce((sum, one) => sum + one, 0)
  expect(largest / sizes.reduce((sum, one) => sum + one, 0)).toBeWithin(0.3, 0.6)
})

test('what a book cannot fill is wanted by the next orders of its side, within a bound', () => {
  const thin = tradedIn(100, 200)
  const { unfilled } = thin
  expect(unfilled).toBeGreaterThan(10 * BTC.orderUsd)
  expect(unfilled).toBeLessThan(2 * 400 * BTC.orderUsd)
  const filled = tradedIn(1e9, 10, thin.state)
  expect(filled.unfilled).toBeLessThan(BTC.orderUsd)
  expect(filled.usd).toBeGreaterThan(0.9 * unfilled)
})
