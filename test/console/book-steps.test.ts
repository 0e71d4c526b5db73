import { expect, test } from 'bun:test'
import { bookSteps } from '../../src/pages/console/views/market/book-steps.ts'

const texts = (price: number, decimals: number) =>
  bookSteps(price, decimals).map(({ text }) => text)

test('no step of the book is that of its levels', () => {
  expect(texts(96_412, 0)).toEqual(['10', '100'])
  expect(texts(104_310, 0)).toEqual(['10', '100', '1,000'])
  expect(texts(3_318.4, 1)).toEqual(['1', '10'])
  expect(texts(0.1234, 4)).toEqual(['0.001'])
  expect(texts(2.0834, 5)).toEqual(['0.0001', '0.001', '0.01'])
})

test('a book without a price has no steps yet', () => {
  expect(bookSteps(0, 0)).toEqual([])
})
