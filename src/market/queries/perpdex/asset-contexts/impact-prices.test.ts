import { expect, test } from 'bun:test'
import { tapeMs } from '../../../../clock/instant.ts'
import { px, sz } from '../../../../decimal/quantity.ts'
import { bookOf, type LevelRow } from '../../../books/book.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'
import { impactPrices } from './context-queries.ts'

const SOL = { base: 'SOL', pxDecimals: 4, szDecimals: 2 } as InstrumentRow
const level = (price: number, size: number): LevelRow => [px(price), sz(size), 1]

test('within the best level the impact price is the best price, whatever the sizes', () => {
  const book = bookOf(tapeMs(1), [level(1_390_400, 90_000)], [level(1_390_500, 4_400)])
  expect(impactPrices(book, SOL)).toEqual(['139.04', '139.05'])
})

test('beyond it the average is exact at one more decimal', () => {
  const asks = [level(1_000_000, 3_000), level(1_100_000, 9_000)]
  const book = bookOf(tapeMs(1), [level(900_000, 90_000)], asks)
  // 3,000 dollars at 100, 3,000 at 110: 6,000 over 57.2727…
  expect(impactPrices(book, SOL)).toEqual(['90.0', '104.7619'])
})
