import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { OrderBook } from './order-book.ts'
import type { Level } from './tape-event.ts'

const price = fc.integer({ min: 1, max: 40 }).map((tick) => String(tick / 2))
const size = fc.integer({ min: 0, max: 3 }).map(String)
const change = fc.tuple(price, size).map(([px, sz]): Level => [px, sz, sz === '0' ? 0 : 1])
const changes = fc.array(fc.record({ bids: fc.array(change), asks: fc.array(change) }))

/** The same side by the simplest method. */
function plain(deltas: { bids: Level[]; asks: Level[] }[], side: 'bids' | 'asks'): Level[] {
  const levels = new Map<string, Level>()
  for (const delta of deltas)
    for (const level of delta[side])
      if (level[1] === '0') levels.delete(level[0])
      else levels.set(level[0], level)
  const direction = side === 'bids' ? -1 : 1
  return [...levels.values()].sort(([a], [b]) => direction * (Number(a) - Number(b)))
}

test('a book equals a sorted map of its levels', () => {
  fc.assert(
    fc.property(changes, (deltas) => {
      const book = new OrderBook()
      book.apply({ kind: 'book', data: { bids: [], asks: [] } })
      for (const data of deltas) book.apply({ kind: 'delta', data })
      const [bids, asks] = [plain(deltas, 'bids'), plain(deltas, 'asks')]
      expect(book.bids()).toEqual(bids)
      expect(book.asks()).toEqual(asks)
      expect(book.bestBid()).toEqual(bids[0] as Level)
      expect(book.bestAsk()).toEqual(asks[0] as Level)
      const [bid, ask] = [Number(bids[0]?.[0] ?? -1), Number(asks[0]?.[0] ?? 99)]
      expect(book.isCrossed()).toBe(bid >= ask)
    }),
  )
})

test('a full book replaces everything, and only then the book is complete', () => {
  const book = new OrderBook()
  book.apply({ kind: 'delta', data: { bids: [['1', '1', 1]], asks: [] } })
  expect(book.isComplete).toBe(false)
  book.apply({ kind: 'book', data: { bids: [], asks: [['3', '1', 1]] } })
  expect([book.isComplete, book.bids(), book.asks()]).toEqual([true, [], [['3', '1', 1]]])
})

test('prices that are written differently are one level', () => {
  const book = new OrderBook()
  book.apply({ kind: 'book', data: { bids: [['10.50', '1', 1]], asks: [] } })
  book.apply({ kind: 'delta', data: { bids: [['10.5', '0', 0]], asks: [] } })
  expect(book.bids()).toEqual([])
})
