import { expect, test } from 'bun:test'
import { SynthBook } from './synth-book.ts'

function book(): SynthBook {
  const levels = new SynthBook()
  for (let i = 0; i < 20; i++) {
    levels.put('asks', { tick: 101 + 2 * i, lots: 10, orders: 2 })
    levels.put('bids', { tick: 100 - 2 * i, lots: 10, orders: 2 })
  }
  levels.changes()
  return levels
}

test('a taker eats the best levels first and leaves the rest of the last one', () => {
  const levels = book()
  expect(levels.take('asks', 25).map(({ tick, lots }) => [tick, lots])).toEqual([
    [101, 10],
    [103, 10],
    [105, 5],
  ])
  expect(levels.asks[0]).toEqual({ tick: 105, lots: 5, orders: 1 })
  expect(levels.changes()).toEqual({
    bids: [],
    asks: [
      { tick: 101, lots: 0, orders: 0 },
      { tick: 103, lots: 0, orders: 0 },
      { tick: 105, lots: 5, orders: 1 },
    ],
  })
  expect(levels.changes()).toBeNull()
})

test('levels stand from the touch outward in whatever order they are put', () => {
  const levels = new SynthBook()
  for (const tick of [50, 47, 49, 44, 48]) levels.put('bids', { tick: tick, lots: 1, orders: 1 })
  expect(levels.bids.map(({ tick }) => tick)).toEqual([50, 49, 48, 47, 44])
})

test('a level that would cross the book is refused', () => {
  const levels = book()
  expect(() => levels.put('bids', { tick: 101, lots: 1, orders: 1 })).toThrow('cross')
  expect(() => levels.put('asks', { tick: 100, lots: 1, orders: 1 })).toThrow('cross')
})

test('the last ten levels are out of reach', () => {
  const levels = book()
  expect(levels.sizeWithin('bids', 3)).toBe(30)
  expect(levels.sizeWithin('bids', 1000)).toBe(100)
  levels.take('bids', 100)
  expect(levels.isThin('bids')).toBe(true)
})
